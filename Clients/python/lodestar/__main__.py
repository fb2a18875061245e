"""`python -m lodestar`: prints headings."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import json
import os
import sys
from typing import Any, Dict, List, Optional

import lodestar


def text(heading: lodestar.Heading) -> str:
    """One line; '-' for what is not known."""
    true = "-" if heading.true_degrees is None else f"{heading.true_degrees:.1f}°"
    accuracy = "unknown" if heading.accuracy_degrees is None else f"±{heading.accuracy_degrees:.1f}° (95 %)"
    words = [f"magnetic {heading.magnetic_degrees:.1f}°", f"true {true}", f"accuracy {accuracy}"]
    if heading.disturbance not in (None, "clean"):
        words.append(str(heading.disturbance))
    if heading.is_simulated:
        words.append("SIMULATED")
    return "  ".join(words)


def record(heading: lodestar.Heading) -> Dict[str, Any]:
    """The keys of a heading, and `time` (ISO 8601, UTC, milliseconds) where it is known, as in lodestar's own records."""
    values = dataclasses.asdict(heading)
    if heading.utc_nanoseconds is None:
        return values
    seconds, milliseconds = divmod((heading.utc_nanoseconds + 500_000) // 1_000_000, 1000)
    date = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return {"time": f"{date:%Y-%m-%dT%H:%M:%S}.{milliseconds:03d}Z", **values}


def interval(word: str) -> float:
    seconds = float(word)
    if not 0 <= seconds < float("inf"):
        raise ValueError(word)
    return seconds


def count(word: str) -> int:
    number = int(word)
    if number < 1:
        raise ValueError(word)
    return number


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command and returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m lodestar", description="Print headings of the Lodestar daemon, one a line."
    )
    parser.add_argument("--format", choices=["text", "json"], default="text")
    parser.add_argument(
        "--interval", type=interval, default=1.0, help="least seconds between two lines, 0 for every heading; 1"
    )
    parser.add_argument("--count", type=count, help="end after this number of lines")
    parser.add_argument("--socket", help="the daemon's socket; else $LODESTAR_SOCKET, else the usual paths")
    options = parser.parse_args(arguments)
    try:
        with lodestar.connect(options.socket) as client:
            for number, heading in enumerate(client.headings(options.interval), 1):
                if options.format == "json":
                    print(json.dumps(record(heading)), flush=True)
                else:
                    print(text(heading), flush=True)
                if number == options.count:
                    break
    except lodestar.LodestarError as error:
        print(f"lodestar: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of the output has ended; the interpreter's own flush at exit would fail too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
