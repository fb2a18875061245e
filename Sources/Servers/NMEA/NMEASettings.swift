import Formats
import LinuxIO

/// The outputs of NMEA 0183 and their sentences.
public struct NMEASettings: Sendable, Equatable {
  /// The TCP port.
  public var address = StreamAddress()
  /// The greatest rate of each sentence a second.
  public var sentences = NMEASchedule.Sentence.usualRates
  /// The talker; nil for that of each sentence.
  public var talker: NMEATalker?
  /// Where datagrams are sent; nil for nowhere.
  public var destination: DatagramAddress?
  /// The path of the symbolic link to a pseudo-terminal; nil for none.
  public var terminal: String?

  /// The path of the Unix socket; nil for none.
  public var socket: String?
  /// The mode of the Unix socket's file, as for `chmod`.
  public var socketMode: UInt32 = 0o666

  /// Makes the default settings: the usual sentences, and no output.
  public init() {}

  /// A schedule of the sentences.
  var schedule: NMEASchedule { NMEASchedule(mostPerSecond: sentences, talker: talker) }

  /// What the sentences need of the host.
  var needs: HostNeeds {
    var needs: HostNeeds = .estimates
    if sentences.keys.contains(where: \.isOfSky) { needs.insert(.receiver) }
    if sentences.keys.contains(where: \.isOfPressure) { needs.insert(.samples) }
    return needs
  }

  /// The sentences as in the file, with the rates that are not the default.
  private static func text(_ rates: [NMEASchedule.Sentence: Double]) -> String {
    NMEASchedule.Sentence.allCases.compactMap { sentence in
      rates[sentence].map { rate in
        sentence.rawValue.uppercased() + (rate == sentence.usualRate ? "" : "=\(rate)")
      }
    }.joined(separator: ",")
  }

  /// The keys of the TCP port and of the sentences.
  static var keys: [ServeKey] {
    [
      .port("nmea-port", \.nmea.address.port),
      .text("nmea-address", allowed: StreamAddress.allowedHosts, \.nmea.address.host),
      ServeKey(
        "nmea-sentences",
        allowed:
          "sentences with or without a rate a second of 0.01 to 50, such as HDG=10,HDT,GGA; of "
          + NMEASchedule.Sentence.allCases.map { $0.rawValue.uppercased() }.joined(separator: ", "),
        \.nmea.sentences, read: NMEASchedule.Sentence.rates, text: NMEASettings.text),
      ServeKey(
        "nmea-talker", allowed: "two capital letters, such as II", \.nmea.talker,
        read: { NMEATalker($0).map(Optional.some) }, text: { $0?.description }),
      .datagrams("nmea-udp", example: "192.168.1.255:10110", \.nmea.destination),
      .path("nmea-terminal", \.nmea.terminal),
      .path("nmea-socket", \.nmea.socket),
      .mode("nmea-socket-mode", \.nmea.socketMode),
    ]
  }
}
