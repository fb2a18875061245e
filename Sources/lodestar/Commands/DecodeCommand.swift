import ArgumentParser
import Board
import EarthModel
import Formats
import Pipeline
import Quantities
import ReceiverProtocols
import Terminal

/// `lodestar decode`: converts receiver bytes to reports.
struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Decode a receiver's raw bytes to gpsd-schema JSON lines.",
    discussion: """
      Reads a file or standard input (NMEA 0183, UBX, SBF and other protocols of receivers, RTCM 3 \
      between them) and writes TPV, SKY, GST and ATT. Other bytes are skipped; a line on standard error at the end gives their number and the reasons. \
      Mode and speed of TPV follow gpsd's rules; --format text shows the receiver's own values.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case json, text }

  @Argument(help: "A recording of receiver bytes; - is standard input.", completion: .file())
  var file = "-"

  @Option(help: "json: gpsd's objects, one a line. text: one line for each epoch.")
  var format = Format.json

  @Flag(help: "Also write an ERROR object for each rejected sentence.")
  var errors = false

  @Option(
    help:
      "A date near the recording, 2019.8 or 2019-11-07: for a receiver whose dates are 1024 weeks off."
  )
  var date: DateArgument?

  func run() throws {
    let input: ByteReader
    do {
      input = try ByteReader(path: file)
    } catch {
      throw Failure.input("\(error)")
    }
    let out = OutputStream()
    var lines: [UInt8] = []
    var (isEmpty, text) = (true, WideText())
    var reading = Reading(
      format, reportsErrors: errors, dates: date.map { .near($0.utc.date) } ?? .none)
    var progress =
      StandardStream.output.isTerminal ? nil : ReadingProgress(of: file, "kB", stride: 1)
    while true {
      let bytes: ArraySlice<UInt8>
      do {
        bytes = try input.next()
      } catch {
        throw Failure.input("\(error)")
      }
      if bytes.isEmpty { break }
      progress?.update(input.fractionRead, adding: bytes.count / 1000)
      isEmpty = false
      text.narrow(bytes).withUnsafeBytes { reading.push($0, to: &lines) }
      try out.write(lines)
      try out.flush()
      lines.removeAll(keepingCapacity: true)
    }
    progress?.clear()
    reading.finish(to: &lines)
    try out.write(lines)
    try out.close()
    let counts = reading.counts
    guard counts.accepted > 0 || counts.binaryFrames > 0 else {
      throw Failure.input(
        "\(file): "
          + (isEmpty
            ? "empty: no receiver message to decode"
            : "no receiver message was decoded: \(summary(counts)); expected NMEA 0183 such as "
              + "$GPGGA,…*hh, UBX, SBF, CASIC, SkyTraq, Allystar, logs of NovAtel or Unicore, or RTCM 3")
      )
    }
    StandardError.say("\(file): \(summary(counts))")
    if date == nil, let doubt = PlausibleDates.doubt(reading.firstDate) {
      StandardError.say("\(file): \(doubt)")
    }
  }

  private func summary(_ counts: SentenceCounts) -> String {
    let causes: [(Int64, String)] = [
      (counts.badChecksum, SentenceRejection.badChecksum.words),
      (counts.missingChecksum, SentenceRejection.missingChecksum.words),
      (counts.cut, SentenceRejection.cut.words), (counts.tooLong, SentenceRejection.tooLong.words),
      (counts.malformed, SentenceRejection.malformed.words),
    ]
    let rejected = causes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let others: [(Int64, String)] = [
      (counts.unreadableFields, "unreadable fields"), (counts.ubxFrames, "UBX frames"),
      (counts.otherFrames, "binary frames of other protocols"),
      (counts.rtcm3Frames, "RTCM 3 frames"),
      (counts.noiseBytes, "other bytes"),
    ]
    let rest = others.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    let undecoded = counts.undecoded
    return "\(counts.accepted) sentences accepted, \(counts.rejected) rejected"
      + (rejected.isEmpty ? "" : " (\(rejected))") + rest
      + (undecoded.count == 0 ? "" : ", \(undecoded.count) messages not decoded (\(undecoded))")
  }
}

/// Decodes bytes and appends the lines of their reports.
private struct Reading {
  // Arrival times are not used: the reports contain the receiver's time.
  private static let never = Timestamp(nanoseconds: 0)
  private var reader: ReceiverReader
  /// Replaces the reader if rejected sentences are reported too.
  private var parts: (decoder: ReceiverDecoder, sources: PositionSources)?
  private var writer: ReportWriter

  init(_ format: DecodeCommand.Format, reportsErrors: Bool, dates: DateCorrection) {
    (reader, writer) = (ReceiverReader(dates: dates), ReportWriter(format))
    if reportsErrors { parts = (ReceiverDecoder(), PositionSources(dates: dates)) }
  }

  /// The first date in the reports.
  var firstDate: CivilDate? { writer.firstDate }

  var counts: SentenceCounts { parts?.decoder.counts ?? reader.counts }

  mutating func push(_ bytes: UnsafeRawBufferPointer, to lines: inout [UInt8]) {
    guard var (decoder, sources) = parts else {
      return reader.push(bytes, at: Self.never) { writer.write($0, to: &lines) }
    }
    decoder.push(bytes) { process($0, &sources, &lines) }
    parts = (decoder, sources)
  }

  mutating func finish(to lines: inout [UInt8]) {
    guard var (decoder, sources) = parts else {
      return reader.finish(at: Self.never) { writer.write($0, to: &lines) }
    }
    decoder.finish { process($0, &sources, &lines) }
    sources.finish { writer.write($0, to: &lines) }
    parts = (decoder, sources)
  }

  private mutating func process(
    _ message: ReceiverMessage, _ sources: inout PositionSources, _ lines: inout [UInt8]
  ) {
    if case .rejected(let cause, let bytes) = message { writer.write(cause, bytes, to: &lines) }
    sources.add(message, at: Self.never) { writer.write($0, to: &lines) }
  }
}

/// Writes reports as lines.
private struct ReportWriter {
  let format: DecodeCommand.Format
  /// The yaw of the last alignment.
  private var yaw: Angle?
  /// The first date in the reports.
  private(set) var firstDate: CivilDate?

  init(_ format: DecodeCommand.Format) { self.format = format }

  /// Adds a report's lines.
  mutating func write(_ report: ReceiverReport, to lines: inout [UInt8]) {
    if firstDate == nil, case .epoch(let epoch) = report { firstDate = epoch.fix.utc?.date }
    switch (report, format) {
    case (.epoch(var epoch), .json):
      complete(&epoch)
      if GPSDReport.append(skyOf: epoch, to: &lines) { end(&lines) }
      if GPSDReport.append(gstOf: epoch, to: &lines) { end(&lines) }
      GPSDReport.append(tpv: epoch, to: &lines)
    case (.heading(let heading), .json): GPSDReport.append(att: heading, yaw: yaw, to: &lines)
    case (.alignment(let alignment), .json):
      yaw = alignment.yaw
      GPSDReport.append(att: alignment, to: &lines)
    case (.epoch(let epoch), .text): lines += ReportText.line(epoch)
    case (.heading(let heading), .text): lines += ReportText.line(heading)
    case (.alignment, .text), (.pulse, _): return
    }
    end(&lines)
  }

  /// Adds the line of a rejected sentence.
  func write(
    _ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>, to lines: inout [UInt8]
  ) {
    switch format {
    case .json: GPSDReport.append(error: cause, bytes, to: &lines)
    case .text:
      lines += Array("rejected (\(cause.words)): \(String(decoding: bytes, as: UTF8.self))".utf8)
    }
    end(&lines)
  }

  private func end(_ lines: inout [UInt8]) { lines.append(UInt8(ascii: "\n")) }

  /// Computes the missing altitude, ellipsoidal or above the geoid, from the other one, by the
  /// receiver's separation, else by EGM96.
  private func complete(_ epoch: inout ReceiverEpoch) {
    let (altitude, height) = (epoch.printedAltitudeMetres, epoch.printedHeightMetres)
    guard (altitude == nil) != (height == nil), let place = epoch.fix.position,
      let separation = epoch.geoidSeparationMetres ?? Geoid.egm96.separationMetres(at: place)
    else { return }
    epoch.printedHeightMetres = height ?? altitude.map { $0 + separation }
    epoch.printedAltitudeMetres = altitude ?? height.map { $0 - separation }
    epoch.geoidSeparationMetres = separation
  }
}
