import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

/// Receivers' logs with a second, late and less accurate device between their sentences, as a
/// plotter that forwards them. The scorer of the reference data judges the positions.
@Suite("Two devices of different age in one stream", .timeLimit(.minutes(30)))
struct MergedLogTests {
  /// Arguments: program, folder of the reference data, folder for files. Prints what is wrong.
  private static let script = """
    import collections, glob, os, subprocess, sys
    program, shared, folder = sys.argv[1:]
    sys.path.insert(0, shared + "/tools")
    from score_tpv import score
    def late(line, talker, decimals):
        body = line.strip()[1:].split(b"*")[0]
        fields = body.split(b",")
        kind = fields[0][2:]
        fields[0] = talker + kind
        first = {b"RMC": 3, b"GGA": 2, b"GLL": 1}[kind]
        try:
            for place in (first, first + 2):
                whole, _, part = fields[place].partition(b".")
                fields[place] = whole + b"." + part[:decimals] if part else whole
            if kind == b"GGA" and fields[8]:
                fields[7], fields[8] = b"05", b"%.1f" % (float(fields[8]) * 2.5)
        except (IndexError, ValueError):
            return None
        body, total = b",".join(fields), 0
        for byte in body:
            total ^= byte
        return b"$%s*%02X\\r\\n" % (body, total)
    def merged(raw, talker, lag, decimals, kinds):
        queue, out = collections.deque(), []
        for line in raw.splitlines(True):
            out.append(line)
            if line[:1] == b"$" and line[1:3] in (b"GP", b"GN", b"GA", b"GL") and line[3:6] in kinds:
                copy = late(line, talker, decimals)
                if copy:
                    queue.append(copy)
                if len(queue) > lag * len(kinds):
                    out.append(queue.popleft())
        return b"".join(out)
    def decoded(name, raw):
        with open(folder + "/in.log", "wb") as file:
            file.write(raw)
        with open(folder + "/out.jsonl", "wb") as file:
            subprocess.run([program, "decode", folder + "/in.log"], stdout=file, stderr=subprocess.DEVNULL, check=True)
        result, _ = score(f"{shared}/data/gnss/{name}.expected.jsonl", folder + "/out.jsonl", True)
        return result["core"][0]
    both = (b"RMC", b"GGA")
    # Talkers that only another device has. Then talkers that the receiver itself has too: the second device is recognised by its
    # time, which takes some seconds, so that only long logs are judged.
    others = [(b"II", 1, 2, (b"GLL", b"RMC")), (b"AI", 2, 4, both), (b"AI", 5, 4, both), (b"IN", 3, 3, both + (b"GLL",))]
    alike = [(b"GL", 1, 4, (b"RMC",)), (b"GP", 1, 4, both)]
    right, total, logs = collections.Counter(), collections.Counter(), 0
    for path in sorted(glob.glob(shared + "/data/gnss/*.log")):
        name, raw = os.path.basename(path)[:-4], open(path, "rb").read()
        if raw.count(b"RMC,") < 5:
            continue
        logs += 1
        alone = decoded(name, raw)
        for group, kinds in (("others", others), ("alike", alike if alone > 30 else [])):
            for kind in kinds:
                core = decoded(name, merged(raw, *kind))
                right[group] += min(core, alone)
                total[group] += alone
                if core < alone:
                    print(name, *kind, core, "of", alone, file=sys.stderr)
    for group in ("others", "alike"):
        if not total[group] or right[group] < 0.999 * total[group]:
            print(f"{group}: only {right[group]} of {total[group]} positions are right")
    if logs < 10:
        print(f"only {logs} logs")
    """

  @Test(
    "the better device is used, and nothing of the other",
    .enabled(if: SharedData.path("data/gnss") != nil, "no reference data"))
  func merged() throws {
    let shared = try #require(SharedData.directory)
    let folder = try TemporaryFolder()
    let outcome = try BuiltProgram(at: "/usr/bin/env").run(
      ["python3", "-c", Self.script, lodestar.path, shared, folder.path], deadline: 600)
    #expect(outcome.status == 0 && outcome.text.isEmpty, "\(outcome.text) \(outcome.errors)")
  }
}
