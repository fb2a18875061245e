import ArgumentParser
import Foundation
import Outputs
import Quantities
import ReceiverProtocols

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
    // A reader that went away is not an error of ours: writing reports it by errno.
    signal(SIGPIPE, SIG_IGN)
    let input = try ByteInput(path: file)
    defer { input.close() }
    var (decoder, assembler, output) = (NMEADecoder(), EpochAssembler(), ByteOutput())
    var isEmpty = true
    // Only the order of the bytes counts here; the receiver's own time stands in the reports.
    func take(_ talker: Talker, _ sentence: NMEASentence) {
      assembler.add(sentence, from: talker, at: Timestamp(nanoseconds: 0)) {
        format.write($0, to: &output)
      }
    }
    do {
      while let bytes = try input.read() {
        isEmpty = false
        decoder.push(bytes, take)
        try output.flush()
      }
      decoder.finish(take)
      assembler.finish { format.write($0, to: &output) }
      try output.flush()
    } catch ByteOutput.Failure.readerGone {
      return
    }
    note(isEmpty ? "\(input.name) is empty" : summary(decoder.counts))
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

  private func note(_ text: String) {
    FileHandle.standardError.write(Data("lodestar decode: \(text)\n".utf8))
  }
}

extension DecodeCommand.Format {
  /// Adds a report's lines.
  fileprivate func write(_ report: ReceiverReport, to lines: inout ByteOutput) {
    switch (report, self) {
    case (.epoch(let epoch), .json):
      if let sky = GPSDReport.sky(epoch) { lines.append(sky) }
      if let gst = GPSDReport.gst(epoch) { lines.append(gst) }
      lines.append(GPSDReport.tpv(epoch))
    case (.heading(let heading), .json): lines.append(GPSDReport.att(heading))
    case (.epoch(let epoch), .text): lines.append(ReportText.line(epoch))
    case (.heading(let heading), .text): lines.append(ReportText.line(heading))
    }
  }
}
