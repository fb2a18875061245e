import LinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// Applies remedies to a machine.
///
/// A file is replaced atomically, and its first content stays beside it as `NAME.before-lodestar`.
/// A step that is done already changes nothing, so that a repair can be repeated.
package struct Repair {
  /// The suffix of the copy of a file's first content.
  package static let backupSuffix = ".before-lodestar"

  private let machine: Machine
  private let files: any FileOperations

  /// Makes a repair of a machine.
  package init(_ machine: Machine, files: any FileOperations = LinuxFiles()) {
    (self.machine, self.files) = (machine, files)
  }

  /// Why a step failed.
  package enum Fault: Error, Equatable, CustomStringConvertible {
    /// A file cannot be changed.
    case file(FileFault)
    /// A program is not installed, does not end, or ends with an error.
    case program([String], CommandOutcome?)

    /// One line.
    package var description: String {
      switch self {
      case .file(let fault): return "\(fault)"
      case .program(let words, let outcome):
        let command = words.joined(separator: " ")
        guard let outcome else {
          return
            "'\(command)' cannot be run: \(words.first ?? "it") is not installed, or did not end in time"
        }
        let reason = outcome.output.split(separator: "\n").last.map { ": \($0)" } ?? ""
        return "'\(command)' ended with status \(outcome.status)\(reason)"
      }
    }
  }

  /// Applies a step.
  /// - Returns: What was done, one line; nil where nothing had to be done, and for a program
  ///   of a machine that does not run.
  /// - Throws: The fault; the machine is as before the step.
  package func apply(_ step: RepairStep) throws(Fault) -> String? {
    let isChanged: Bool
    switch step {
    case .bootLine(let line, let file):
      isChanged = try edit(file) { text in
        let boot = BootConfiguration(text, path: file, model: nil)
        return boot.has(line) ? nil : BootConfiguration.adding(line, to: text)
      }
    case .removedWords(let words, let file):
      isChanged = try edit(file) { text in
        let new = BootCommandLine.removing(words, from: text)
        return new.split(separator: " ").count < text.split(whereSeparator: \.isWhitespace).count
          ? new : nil
      }
    case .line(let line, let file):
      isChanged = try edit(file) { text in
        guard !text.split(separator: "\n").contains(where: { $0 == line }) else { return nil }
        return text + (text.isEmpty || text.hasSuffix("\n") ? "" : "\n") + line + "\n"
      }
    case .file(let file, let lines):
      let new = lines.map { $0 + "\n" }.joined()
      isChanged = try edit(file) { $0 == new ? nil : new }
    case .run(let words):
      guard machine.system.runsPrograms else { return nil }
      let outcome = machine.system.run(words)
      guard outcome?.status == 0 else { throw .program(words, outcome) }
      isChanged = true
    }
    return isChanged ? step.summary : nil
  }

  /// Replaces a file by its changed text; nil leaves it. A missing file counts as empty.
  private func edit(_ path: String, _ change: (String) -> String?) throws(Fault) -> Bool {
    let file = machine.root + path
    do throws(FileFault) {
      try checkLinks(path)
      let old = try existing(file)
      guard let new = change(old.map { String(decoding: $0, as: UTF8.self) } ?? "") else {
        return false
      }
      let mode = machine.system.attributes(of: file)?.mode ?? 0o644
      if let old {
        let backup = file + Self.backupSuffix
        if try existing(backup) == nil { try files.replace(backup, with: old, mode: mode) }
      } else {
        try files.makeFolders(file.parentFolder)
      }
      try files.replace(file, with: Array(new.utf8), mode: mode)
      return true
    } catch {
      throw .file(error)
    }
  }

  /// Refuses a link below the folder of another machine's files, such as a mounted card: it would
  /// lead to a file of this machine.
  private func checkLinks(_ path: String) throws(FileFault) {
    guard !machine.root.isEmpty else { return }
    var place = ""
    for part in path.split(separator: "/") {
      place += "/\(part)"
      guard machine.link(place) != nil else { continue }
      throw FileFault(
        action: "change", path: machine.root + path, code: ELOOP,
        detail:
          "\(place) is a link, which on this machine leads elsewhere; run 'lodestar doctor --fix' "
          + "on the machine of these files")
    }
  }

  private func existing(_ file: String) throws(FileFault) -> [UInt8]? {
    do {
      return try files.content(of: file)
    } catch {
      guard error.isAbsence else { throw error }
      return nil
    }
  }
}
