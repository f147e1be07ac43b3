"""Makes trend-table.json: expected KPI trends, computed with fractions and without code of the service.

python3 test/discovery/kpis/trend-table.py > test/discovery/kpis/trend-table.json
"""
import json
import math
import random
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

random.seed(20261122)
START = datetime(2026, 1, 5, tzinfo=timezone.utc)


def iso(moment):
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def text(value, places):
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    shown = exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    return str(shown if shown else abs(shown))


def day_value(values, aggregate):
    if aggregate == "last":
        return values[-1]
    total = sum(values)
    if aggregate == "sum":
        return total
    return Fraction(Decimal(text(total / len(values), 2)))


def student_below(t, freedom):
    """Share of Student's t distribution below t, by Simpson's rule."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    density = lambda x: scale * (1 + x * x / freedom) ** (-(freedom + 1) / 2)
    steps = 2_000
    width = t / steps
    inner = sum((4 if n % 2 else 2) * density(n * width) for n in range(1, steps))
    return 0.5 + width / 3 * (density(0) + inner + density(t))


def student_quantile(freedom):
    """80 % of the values lie between this quantile and its negative."""
    low, high = 0.0, 10.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if student_below(middle, freedom) < 0.9 else (low, middle)
    return low


def project(points, records, start, value, kpi):
    """The line at the first and latest record, and the ends of the projection with half the width of the band."""
    n = len(points)
    mean_x = sum(x for x, _ in points) / n
    mean_y = sum(y for _, y in points) / n
    squares = sum((x - mean_x) ** 2 for x, _ in points)
    if not squares:
        return {"line": None, "projection": None}
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / squares
    at = lambda x: mean_y + slope * (x - mean_x)
    day_of = lambda moment: Fraction((moment - START) / timedelta(milliseconds=1)) / 86_400_000
    first_x, latest_x = day_of(records[0][0]), day_of(records[-1][0])
    benchmark, kind = Fraction(kpi["benchmark"]), kpi["benchmarkType"]
    reached = {"MORE": value >= benchmark, "LESS": value <= benchmark, "EQUAL": value == benchmark}[kind]
    met, offset = None, 0
    if not reached and slope:
        met = mean_x + (benchmark - mean_y) / slope
        if met <= latest_x:
            met = latest_x + (benchmark - value) / slope
            if met > latest_x:
                offset = value - at(latest_x)
        if met <= latest_x:
            met = None
    due = kpi["dueDate"]
    due_x = day_of(datetime.fromisoformat(due.replace("Z", "+00:00"))) if due else None
    wanted = max([x for x in (met, due_x) if x is not None], default=0)
    span = latest_x - first_x
    ahead = wanted - latest_x if wanted > latest_x else span / 4
    end_x = latest_x + max(1, min(span, ahead))
    deviation = math.sqrt(float(sum((y - at(x)) ** 2 for x, y in points)) / (n - 2)) if n > 2 else None

    def band(x):
        if deviation is None:
            return None
        spread = math.sqrt(1 + 1 / n + float((x - mean_x) ** 2 / squares))
        return round(student_quantile(n - 2) * deviation * spread, 4)

    return {
        "line": [text(at(first_x), 2), text(at(latest_x), 2)],
        "projection": [
            {"day": round(float(x), 4), "value": round(float(at(x) + offset), 4), "half": band(x)}
            for x in (latest_x, end_x)
        ],
    }


def trend(records, kpi):
    days = {}
    for at, value in records:
        days.setdefault(at.date(), []).append((at, value))
    points = [
        (Fraction((group[-1][0] - START) / timedelta(milliseconds=1)) / 86_400_000,
         day_value([value for _, value in group], kpi["aggregate"]))
        for _, group in sorted(days.items())
    ]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    squares = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / squares if squares else None
    first, latest = records[0], records[-1]
    benchmark = Fraction(kpi["benchmark"])
    kind = kpi["benchmarkType"]
    # With the aggregate `sum`, the benchmark is compared with the sum of a day.
    summed = kpi["aggregate"] == "sum"
    start = points[0][1] if summed else first[1]
    value = points[-1][1] if summed else latest[1]
    if kind == "MORE":
        reached, attained = value >= benchmark, value / benchmark if benchmark else None
    elif kind == "LESS":
        reached, attained = value <= benchmark, benchmark / value if value else None
    else:
        reached = value == benchmark
        attained = 1 - abs(value - benchmark) / abs(benchmark) if benchmark else None
    latest_x = Fraction((latest[0] - START) / timedelta(milliseconds=1)) / 86_400_000
    projected = None
    if not reached and slope:
        met = mean_x + (benchmark - mean_y) / slope
        if met <= latest_x:
            met = latest_x + (benchmark - value) / slope
        if met > latest_x:
            projected = iso(START + timedelta(milliseconds=round(met * 86_400_000)))
    due = kpi["dueDate"]
    met_at = iso(latest[0]) if reached else projected
    return {
        "count": len(records),
        "first": {"value": text(start, 2), "createdAt": iso(first[0])},
        "latest": {"value": text(value, 2), "createdAt": iso(latest[0])},
        "change": {
            "absolute": text(value - start, 2),
            "percent": text((value - start) / abs(start) * 100, 2) if start else None,
        },
        "slopePerDay": text(slope, 6) if slope is not None else None,
        "attainment": text(attained * 100, 2) if attained is not None else None,
        "reached": reached,
        "projectedDate": projected,
        "onTime": met_at is not None and met_at <= due if due else None,
        **project(points, records, start, value, kpi),
    }


def case(aggregate, kind):
    count = random.choice([1, 2, 5, 20, 60])
    drift = Fraction(random.randint(-300, 300), 100)
    level = Fraction(random.randint(-5_000, 20_000), 100)
    moments = sorted(random.sample(range(0, 80 * 24 * 60, 37), count))
    records = [
        (START + timedelta(minutes=minute),
         Fraction(round(level * 100 + drift * minute / 14 + random.randint(-400, 400)), 100))
        for minute in moments
    ]
    benchmark = text(level + drift * random.randint(20, 120) / 1, 2)
    kpi = {
        "aggregate": aggregate,
        "benchmarkType": kind,
        "benchmark": random.choice([benchmark, benchmark, benchmark, "0.00"]),
        "dueDate": random.choice([None, "2026-04-30T00:00:00.000Z", "2026-12-31T00:00:00.000Z"]),
    }
    return {
        "kpi": kpi,
        "records": [[iso(at), text(value, 2)] for at, value in records],
        "trend": trend(records, kpi),
    }


cases = [case(aggregate, kind) for aggregate in ("last", "avg", "sum") for kind in ("MORE", "LESS", "EQUAL") for _ in range(4)]
print("[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases) + "\n]")
