extension Board {
  /// Where the corrections (RTCM 3) for a receiver come from.
  public struct CorrectionSource: Equatable, Sendable {
    /// The kinds of sources.
    public enum Origin: Equatable, Sendable {
      /// A file, which may be a pipe.
      case file(String)
      /// A program on the network that sends without a request.
      case tcp(host: String, port: Int)
      /// A radio modem or a base station at a serial port.
      case serial(path: String, baud: Int)
      /// A caster.
      case ntrip(NTRIPSource)
    }

    /// The source.
    public var origin: Origin
    /// The silence after which the connection is ended and made again. Shorter than the interval of
    /// the messages, a slow base is connected again and again; longer, an interruption that the
    /// network does not report lasts longer.
    public var timeoutSeconds = usualTimeoutSeconds

    /// Twice the longest usual interval of messages, 30 s.
    public static var usualTimeoutSeconds: Double { 60 }
    /// The permitted timeouts, seconds.
    public static var timeouts: ClosedRange<Double> { 2...3600 }
    /// The form of an origin, for messages.
    public static var form: String {
      "a file, a serial port with 'baud', tcp://HOST:PORT or \(NTRIPSource.form)"
    }

    /// Makes a source.
    public init(_ origin: Origin) { self.origin = origin }

    /// Reads a source; nil for another text, and for a serial port without `baud`.
    public init?(_ text: String, baud: Int? = nil) {
      if NTRIPSource.isNamed(by: text) {
        guard let source = NTRIPSource(text) else { return nil }
        self.init(.ntrip(source))
      } else if text.contains("://") {
        guard case .tcp(let host, let port) = SentenceFeed(text) else { return nil }
        self.init(.tcp(host: host, port: port))
      } else if let baud {
        self.init(.serial(path: text, baud: baud))
      } else {
        guard !Self.isSerial(text) else { return nil }
        self.init(.file(text))
      }
    }

    /// A file.
    public static func file(_ path: String) -> Self { Self(.file(path)) }
    /// A program on the network.
    public static func tcp(host: String, port: Int) -> Self { Self(.tcp(host: host, port: port)) }
    /// A serial port.
    public static func serial(_ path: String, baud: Int) -> Self {
      Self(.serial(path: path, baud: baud))
    }
    /// A caster.
    public static func ntrip(_ source: NTRIPSource) -> Self { Self(.ntrip(source)) }

    /// Whether a path names a serial port.
    package static func isSerial(_ path: String) -> Bool {
      path.hasPrefix("/dev/tty") || path.hasPrefix("/dev/serial")
    }
  }
}

extension Board.CorrectionSource: CustomStringConvertible {
  /// The source, without its settings.
  public var description: String {
    switch origin {
    case .file(let path): path
    case .tcp(let host, let port): "tcp://\(NTRIPSource.authority(host, port))"
    case .serial(let path, let baud): "\(path) (\(baud) baud)"
    case .ntrip(let source): "\(source)"
    }
  }
}
