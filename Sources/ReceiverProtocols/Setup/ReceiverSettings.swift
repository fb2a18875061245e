import Quantities

/// What a receiver is set to do, in the same terms for every maker; nil leaves a property as it is.
public struct ReceiverSettings: Equatable, Sendable {
  /// Solutions a second.
  public var rateHertz: Double?
  /// The motion that the receiver assumes.
  public var model: UBXDynamicModel?
  /// The protocols of its output.
  public var messages: UBXSetupRequest.Messages?
  /// The NMEA sentences of its output; the others are switched off.
  public var sentences: [OutputSentence]?
  /// The satellite systems that it uses; the others are switched off.
  public var systems: [Constellation]?
  /// The elevation below which satellites are not used, degrees.
  public var maskDegrees: Double?
  /// Whether it is a base station, and how it finds its place.
  public var base: BaseStation?
  /// True to send the heading of two antennas.
  public var sendsHeading: Bool?
  /// True where its port must accept RTCM 3 corrections.
  public var takesCorrections = false
  /// The baud rate of its port, bits per second.
  public var baud: Int?
  /// True where the settings must survive a loss of power.
  public var isSaved = false

  /// Makes settings that change nothing.
  public init() {}

  /// The requested values, in the order in which they are set: the baud rate comes last.
  public var values: [ReceiverValue] {
    var values: [ReceiverValue] = []
    if let rateHertz { values.append(.rate(rateHertz)) }
    if let model { values.append(.model(model)) }
    if let messages { values.append(.messages(messages)) }
    if let sentences { values.append(.sentences(sentences)) }
    if let systems { values.append(.systems(systems)) }
    if let maskDegrees { values.append(.mask(maskDegrees)) }
    if let base { values.append(.base(base)) }
    if let sendsHeading { values.append(.heading(sendsHeading)) }
    if let baud { values.append(.baud(baud)) }
    return values
  }

  /// Replaces the value of one property.
  public mutating func set(_ value: ReceiverValue) {
    switch value {
    case .rate(let hertz): rateHertz = hertz
    case .model(let model): self.model = model
    case .messages(let messages): self.messages = messages
    case .sentences(let sentences): self.sentences = sentences
    case .systems(let systems): self.systems = systems
    case .mask(let degrees): maskDegrees = degrees
    case .base(let base): self.base = base
    case .heading(let isSent): sendsHeading = isSent
    case .baud(let baud): self.baud = baud
    }
  }
}

/// A property of a receiver that can be set.
public enum ReceiverProperty: String, CaseIterable, Sendable {
  /// Solutions a second.
  case rate
  /// The dynamic model.
  case model
  /// The protocols of the output.
  case messages
  /// The NMEA sentences of the output.
  case sentences
  /// The satellite systems.
  case systems
  /// The elevation mask.
  case mask
  /// The base station.
  case base
  /// The heading of two antennas.
  case heading
  /// The baud rate.
  case baud

  /// The name in messages for users.
  public var title: String {
    switch self {
    case .rate: "rate"
    case .model: "dynamic model"
    case .messages: "messages"
    case .sentences: "sentences"
    case .systems: "satellite systems"
    case .mask: "elevation mask"
    case .base: "base station"
    case .heading: "heading of two antennas"
    case .baud: "baud rate"
    }
  }
}

/// A property with its value.
public enum ReceiverValue: Equatable, Sendable {
  /// Solutions a second.
  case rate(Double)
  /// The dynamic model.
  case model(UBXDynamicModel)
  /// The protocols of the output.
  case messages(UBXSetupRequest.Messages)
  /// The NMEA sentences of the output.
  case sentences([OutputSentence])
  /// The satellite systems.
  case systems([Constellation])
  /// Degrees.
  case mask(Double)
  /// The base station.
  case base(BaseStation)
  /// True where the heading of two antennas is sent.
  case heading(Bool)
  /// Bits per second.
  case baud(Int)

  /// The property.
  public var property: ReceiverProperty {
    switch self {
    case .rate: .rate
    case .model: .model
    case .messages: .messages
    case .sentences: .sentences
    case .systems: .systems
    case .mask: .mask
    case .base: .base
    case .heading: .heading
    case .baud: .baud
    }
  }

  /// True where a receiver with this value does what the other one requests: lists in any order,
  /// numbers within the resolution of the receivers.
  func satisfies(_ wanted: ReceiverValue) -> Bool {
    switch (self, wanted) {
    // Periods are whole milliseconds.
    case (.rate(let a), .rate(let b)): abs(1000 / a - 1000 / b) < 1
    case (.mask(let a), .mask(let b)): abs(a - b) < 0.5
    case (.sentences(let a), .sentences(let b)): Self.isSame(a, b)
    case (.systems(let a), .systems(let b)): Self.isSame(a, b)
    case (.base(let a), .base(let b)): a.isSame(as: b)
    default: self == wanted
    }
  }

  private static func isSame<Item: Equatable>(_ a: [Item], _ b: [Item]) -> Bool {
    a.allSatisfy { b.contains($0) } && b.allSatisfy { a.contains($0) }
  }
}

/// A sentence of NMEA 0183 that receivers can be set to send.
public enum OutputSentence: String, CaseIterable, Sendable {
  case gga = "GGA"
  case gll = "GLL"
  case gsa = "GSA"
  case gsv = "GSV"
  case rmc = "RMC"
  case vtg = "VTG"
  case zda = "ZDA"
  case gns = "GNS"
  case gst = "GST"
}

/// How a receiver works as a base station.
public enum BaseStation: Equatable, Sendable {
  /// It is a rover.
  case rover
  /// It averages its place for this time, and until this accuracy, metres; nil for none.
  case survey(seconds: Int, metres: Double?)
  /// It moves, and its corrections give another receiver the heading between their antennas.
  case moving
  /// Its place is known: degrees, and metres above the ellipsoid.
  case fixed(latitude: Double, longitude: Double, height: Double)

  /// Equal within a centimetre, which is about 1e-7 degrees, and a second.
  func isSame(as other: BaseStation) -> Bool {
    switch (self, other) {
    case (.survey(let a, let b?), .survey(let c, let d?)): a == c && abs(b - d) < 0.01
    case (.fixed(let a, let b, let c), .fixed(let d, let e, let f)):
      abs(a - d) < 1e-7 && abs(b - e) < 1e-7 && abs(c - f) < 0.01
    default: self == other
    }
  }

  /// The metres of an accuracy that every survey has: the largest that can be asked for.
  static let anyAccuracy = limits.upperBound
  /// Why a survey without an accuracy is not set.
  static let needsAccuracy = "its survey needs 'accuracy' too"

  /// A place in earth-centred coordinates; nil where it is none.
  init?(_ place: EarthCentredPosition) {
    guard let found = place.geodetic else { return nil }
    self = .fixed(
      latitude: found.position.latitude.degrees, longitude: found.position.longitude.degrees,
      height: found.heightMetres)
  }
}
