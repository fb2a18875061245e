import FoundationEssentials
import Glibc
import LinuxIO
import Report

/// Where a report is written: checked before the input is read, replaced at once.
struct ReportTarget {
  private let path: String

  /// - Throws: Where the output is the input, or where a default name is that of another file.
  init(
    input: String?, output: String?, plot: PlotName?, format: ReportCommand.ReportFormat
  ) throws(Failure) {
    path = output ?? Self.usualName(input, plot, format)
    guard path != "-" else { return }
    if let input, input != "-", OutputPath.areSame(path, input) {
      throw .usage("\(path): the output is the input itself; give another name with -o")
    }
    guard output == nil, format == .html, let beginning = Self.beginning(of: path),
      beginning != Array(ReportPage.mark.utf8)
    else { return }
    throw .output("\(path): a file of this name exists that is no report; give a name with -o")
  }

  private static func usualName(
    _ input: String?, _ plot: PlotName?, _ format: ReportCommand.ReportFormat
  ) -> String {
    if format == .json { return "-" }
    var stem = "report"
    if let input, input != "-" {
      let begin = input.lastIndex(of: "/").map(input.index(after:)) ?? input.startIndex
      let dot = input[begin...].lastIndex(of: ".")
      stem = dot.map { $0 > begin ? String(input[..<$0]) : input } ?? input
    }
    if let plot { stem += "-\(plot.rawValue)" }
    return "\(stem).\(format.rawValue)"
  }

  /// The first bytes of a file, as many as a report's mark has; nil where there is none.
  private static func beginning(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: ReportPage.mark.utf8.count)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  func write(_ content: [UInt8]) throws(Failure) {
    guard OutputPath.isReplaced(path) else {
      let stream = try OutputStream(path: path)
      try stream.write(content)
      return try stream.close()
    }
    do throws(FileFault) {
      try LinuxFiles().replace(path, with: content)
    } catch {
      throw .output("\(error)")
    }
    StandardError.say("wrote \(path)")
  }
}

/// Converts SVG to PNG by a program of the system.
enum PictureConverter {
  private static let program = "rsvg-convert"

  static func png(of svg: [UInt8]) throws(Failure) -> [UInt8] {
    let found = InstalledProgram.places(
      of: program, environment: ProcessInfo.processInfo.environment
    ).first(where: InstalledProgram.exists)
    guard let found else {
      throw .unavailable(
        "\(program) is not installed; install it with 'sudo apt install librsvg2-bin', or use --format svg"
      )
    }
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: found)
    process.arguments = ["--format", "png"]
    let (picture, text): ([UInt8], String)
    do throws(ChildProcess.Fault) {
      let (input, output, errors) = (try ChildPipe(), try ChildPipe(), try ChildPipe())
      (process.standardInput, process.standardOutput) = (input, output)
      process.standardError = errors
      try process.run()
      // It reads all before it writes.
      try input.write(svg)
      picture = output.readToEnd()
      text = String(decoding: errors.readToEnd(), as: UTF8.self)
    } catch {
      throw .unavailable("\(found): \(error)")
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0, !picture.isEmpty else {
      throw .unavailable("\(found) failed: \(text)")
    }
    return picture
  }
}
