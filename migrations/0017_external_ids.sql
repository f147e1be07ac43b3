-- Ids of people, personas and ideas in other systems.

ALTER TABLE users ADD COLUMN source TEXT;
ALTER TABLE users ADD COLUMN external_id TEXT;
CREATE UNIQUE INDEX IF NOT EXISTS users_external_id ON users (subscription_id, source, external_id)
  WHERE external_id IS NOT NULL;

ALTER TABLE personas ADD COLUMN source TEXT;
ALTER TABLE personas ADD COLUMN external_id TEXT;
CREATE UNIQUE INDEX IF NOT EXISTS personas_external_id ON personas (subscription_id, source, external_id)
  WHERE external_id IS NOT NULL;

ALTER TABLE feedback_items ADD COLUMN source TEXT;
ALTER TABLE feedback_items ADD COLUMN external_id TEXT;
CREATE UNIQUE INDEX IF NOT EXISTS feedback_items_external_id
  ON feedback_items (subscription_id, product_id, source, external_id) WHERE external_id IS NOT NULL;

-- A removed record keeps its id until another record takes the id, so that a restore never finds the id taken.
CREATE TRIGGER IF NOT EXISTS users_external_id_inserted BEFORE INSERT ON users
WHEN NEW.external_id IS NOT NULL
BEGIN
  UPDATE users
  SET source = NULL,
    external_id = NULL,
    version = version + 1
  WHERE subscription_id = NEW.subscription_id
    AND source = NEW.source
    AND external_id = NEW.external_id
    AND deleted_at IS NOT NULL
    AND email <> NEW.email;
END;

CREATE TRIGGER IF NOT EXISTS users_external_id_updated BEFORE UPDATE OF source, external_id ON users
WHEN NEW.external_id IS NOT NULL AND (OLD.source, OLD.external_id) IS NOT (NEW.source, NEW.external_id)
BEGIN
  UPDATE users
  SET source = NULL,
    external_id = NULL,
    version = version + 1
  WHERE subscription_id = NEW.subscription_id
    AND source = NEW.source
    AND external_id = NEW.external_id
    AND deleted_at IS NOT NULL
    AND id <> NEW.id;
END;

CREATE TRIGGER IF NOT EXISTS personas_external_id_inserted BEFORE INSERT ON personas
WHEN NEW.external_id IS NOT NULL
BEGIN
  UPDATE personas
  SET source = NULL,
    external_id = NULL,
    version = version + 1
  WHERE subscription_id = NEW.subscription_id
    AND source = NEW.source
    AND external_id = NEW.external_id
    AND (
      deleted_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM products WHERE products.id = personas.product_id AND products.deleted_at IS NOT NULL)
    );
END;

CREATE TRIGGER IF NOT EXISTS personas_external_id_updated BEFORE UPDATE OF source, external_id ON personas
WHEN NEW.external_id IS NOT NULL AND (OLD.source, OLD.external_id) IS NOT (NEW.source, NEW.external_id)
BEGIN
  UPDATE personas
  SET source = NULL,
    external_id = NULL,
    version = version + 1
  WHERE subscription_id = NEW.subscription_id
    AND source = NEW.source
    AND external_id = NEW.external_id
    AND id <> NEW.id
    AND (
      deleted_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM products WHERE products.id = personas.product_id AND products.deleted_at IS NOT NULL)
    );
END;

CREATE TRIGGER IF NOT EXISTS feedback_items_external_id_inserted BEFORE INSERT ON feedback_items
WHEN NEW.external_id IS NOT NULL
BEGIN
  UPDATE feedback_items
  SET source = NULL,
    external_id = NULL,
    version = version + 1
  WHERE subscription_id = NEW.subscription_id
    AND product_id = NEW.product_id
    AND source = NEW.source
    AND external_id = NEW.external_id
    AND deleted_at IS NOT NULL;
END;

CREATE TRIGGER IF NOT EXISTS feedback_items_external_id_updated BEFORE UPDATE OF source, external_id ON feedback_items
WHEN NEW.external_id IS NOT NULL AND (OLD.source, OLD.external_id) IS NOT (NEW.source, NEW.external_id)
BEGIN
  UPDATE feedback_items
  SET source = NULL,
    external_id = NULL,
    version = version + 1
  WHERE subscription_id = NEW.subscription_id
    AND product_id = NEW.product_id
    AND source = NEW.source
    AND external_id = NEW.external_id
    AND deleted_at IS NOT NULL
    AND id <> NEW.id;
END;
