import ArgumentParser
import Outputs
import Quantities
import ReceiverProtocols
import Recording

/// Receiver bytes to reports, as they come.
struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Decode a receiver's raw bytes to gpsd-schema JSON lines.",
    discussion: """
      Reads FILE or standard input and writes TPV, SKY, GST and ATT. Bytes that are no sentence \
      are skipped; a line on standard error says at the end how many were and why.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case json, text }

  @Argument(help: "A recording of receiver bytes; - is standard input.")
  var file = "-"

  @Option(help: "json: gpsd's objects, one a line. text: one readable line an epoch.")
  var format = Format.json

  func run() throws {
    let input: ByteReader
    do {
      input = try ByteReader(path: file)
    } catch {
      throw Failure.input("\(error)")
    }
    let out = OutputStream()
    var (decoder, assembler) = (ReceiverDecoder(), EpochAssembler())
    var writer = ReportWriter(format)
    var lines: [UInt8] = []
    var isEmpty = true
    // Only the order of the bytes counts here; the receiver's own time stands in the reports.
    func take(_ message: ReceiverMessage) {
      assembler.add(message, at: Timestamp(nanoseconds: 0)) { writer.write($0, to: &lines) }
    }
    while true {
      let bytes: ArraySlice<UInt8>
      do {
        bytes = try input.next()
      } catch {
        throw Failure.input("\(error)")
      }
      if bytes.isEmpty { break }
      isEmpty = false
      bytes.withUnsafeBytes { decoder.push($0, take) }
      try out.write(lines)
      try out.flush()
      lines.removeAll(keepingCapacity: true)
    }
    decoder.finish(take)
    assembler.finish { writer.write($0, to: &lines) }
    try out.write(lines)
    try out.close()
    StandardError.say(
      "\(file): " + (isEmpty ? "empty: no receiver sentence in it" : summary(decoder.counts)))
  }

  private func summary(_ counts: SentenceCounts) -> String {
    let causes: [(Int64, String)] = [
      (counts.badChecksum, "bad checksum"), (counts.missingChecksum, "no checksum"),
      (counts.cut, "cut"), (counts.tooLong, "too long"), (counts.malformed, "malformed"),
    ]
    let rejected = causes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let others: [(Int64, String)] = [
      (counts.unregistered, "of other types"), (counts.unreadableFields, "unreadable fields"),
      (counts.ubxFrames, "UBX frames"), (counts.rtcm3Frames, "RTCM 3 frames"),
      (counts.noiseBytes, "other bytes"),
    ]
    let rest = others.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    return "\(counts.accepted) sentences accepted, \(counts.rejected) rejected"
      + (rejected.isEmpty ? "" : " (\(rejected))") + rest
  }
}

/// Writes reports as lines.
private struct ReportWriter {
  let format: DecodeCommand.Format
  /// The yaw of the last alignment.
  private var yaw: Angle?

  init(_ format: DecodeCommand.Format) { self.format = format }

  /// Adds a report's lines.
  mutating func write(_ report: ReceiverReport, to lines: inout [UInt8]) {
    func line(_ bytes: [UInt8]) {
      lines.append(contentsOf: bytes)
      lines.append(UInt8(ascii: "\n"))
    }
    switch (report, format) {
    case (.epoch(let epoch), .json):
      if let sky = GPSDReport.sky(epoch) { line(sky) }
      if let gst = GPSDReport.gst(epoch) { line(gst) }
      line(GPSDReport.tpv(epoch))
    case (.heading(let heading), .json): line(GPSDReport.att(heading, yaw: yaw))
    case (.alignment(let alignment), .json):
      yaw = alignment.yaw
      line(GPSDReport.att(alignment))
    case (.epoch(let epoch), .text): line(ReportText.line(epoch))
    case (.heading(let heading), .text): line(ReportText.line(heading))
    case (.alignment, .text): break
    }
  }
}
