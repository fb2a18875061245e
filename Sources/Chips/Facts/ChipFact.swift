#if !hasFeature(Embedded)

  /// A fact about a chip that falsifies numbers without an error where it was read wrongly, with
  /// the sources that say so.
  ///
  /// `Tests/ChipsTests/FactTests` compares the driver and the emulated chip with `check`, each by
  /// itself, so that a reading that both share is found. `Documentation/Chips.md` lists what is not
  /// proven.
  public struct ChipFact: Sendable {
    /// What a fact is about.
    public enum Subject: String, Sendable, CaseIterable {
      /// Directions of the axes, handedness included.
      case axes
      /// The size of a count by range.
      case scale
      /// Where the samples lie, and their byte order.
      case layout
      /// The polarity of a magnetic bridge.
      case polarity
      /// Which thermometer the compensation needs.
      case thermometer
      /// What one axis shows of another.
      case crossAxis = "cross-axis"
      /// The compensation by factory data.
      case compensation
      /// What the chip does after power-on or a reset.
      case boot
      /// Filters and modes that change samples.
      case mode
      /// Identity registers, and the parts that answer alike.
      case identity

      /// Whether a wrong one makes the samples wrong, not only the chip's start.
      public var changesNumbers: Bool { self != .boot && self != .identity }

      /// What proves such a fact, with a chip in hand.
      var proof: String {
        switch self {
        case .axes, .polarity: "turn the board about all its axes: lodestar probe --measure 60"
        case .scale, .layout: "gravity at rest, whole turns, the field of the place: lodestar check"
        case .thermometer, .compensation: "another barometer beside it, or a receiver's height"
        case .crossAxis: "turn the board about one axis: lodestar check"
        case .boot: "restart the program, and the chip, while it measures"
        case .mode: "record a slow turn through the rate in question"
        case .identity: "read the register: lodestar probe"
        }
      }
    }

    /// What it is about.
    public let subject: Subject
    /// The fact.
    public let text: String
    /// The sources, each written by itself: a data sheet's section, a driver's file, an issue.
    public let witnesses: [String]
    /// What sources disagree about; nil where they agree.
    public let dispute: String?
    /// What would decide it, where that needs a chip in hand.
    public let proof: String?
    /// What is compared with driver and emulator.
    package let check: Check?

    /// What to tell a user of the chip: nil for a proven fact.
    public var caution: String? {
      let decides = "to decide: \(proof ?? subject.proof)"
      if let dispute { return "\(subject.rawValue): sources disagree: \(dispute); \(decides)" }
      guard let witness = witnesses.first, witnesses.count < 2 else { return nil }
      return "\(subject.rawValue): \(text): by one source only, \(witness); \(decides)"
    }

    /// What a test can compare.
    package enum Check: Sendable {
      /// Samples of three axes in a transfer.
      case samples(SampleLayout)
      /// The identity register with the values that the driver accepts.
      case identity(register: UInt8, values: [UInt8])
      /// How long the chip does not acknowledge after power-on, milliseconds.
      case silence(milliseconds: UInt64)
    }

    init(
      _ subject: Subject, _ text: String, _ check: Check? = nil, by witnesses: String...,
      dispute: String? = nil, proof: String? = nil
    ) {
      (self.subject, self.text, self.check, self.witnesses) = (subject, text, check, witnesses)
      (self.dispute, self.proof) = (dispute, proof)
    }
  }

  /// Where and how a chip's samples of one quantity lie in the transfer that reads them.
  package struct SampleLayout: Sendable {
    /// A quantity of three axes.
    package enum Quantity: Sendable { case field, angularRate, specificForce }
    /// How a count is stored.
    package enum Coding: Sendable { case little16, big16, big24 }
    /// The size of a count where the range is the least that holds `full`: microtesla, radians per
    /// second or metres per second squared.
    package struct Scale: Sendable {
      package let full: Double
      package let perCount: Double
      /// On z, where it has another size.
      var zPerCount: Double?

      /// The size of a count on an axis.
      package func perCount(on axis: Int) -> Double { axis == 2 ? zPerCount ?? perCount : perCount }

      /// A field, microtesla.
      static func field(_ full: Double, _ perCount: Double, z: Double? = nil) -> Scale {
        Scale(full: full, perCount: perCount, zPerCount: z)
      }
      /// An angular rate: the range in degrees per second, and radians per second a count.
      static func rate(_ degrees: Double, _ perCount: Double) -> Scale {
        Scale(full: degrees * Unit.degree, perCount: perCount)
      }
      /// A specific force: the range in g, and metres per second squared a count.
      static func force(_ g: Double, _ perCount: Double) -> Scale {
        Scale(full: g * Unit.gravity, perCount: perCount)
      }
    }

    /// The quantity.
    package let quantity: Quantity
    /// The register with which the transfer begins.
    package let register: UInt8
    /// The first byte of the first count, from the transfer's or the frame's begin on.
    package let offset: Int
    /// How a count is stored.
    package let coding: Coding
    /// The chip's axis that each count lies along, and its sign: the axes are right-handed as this
    /// library has them.
    package let axes: [(axis: Int, sign: Double)]
    /// The size of a count by range.
    package let scales: [Scale]
    /// Frames of so many bytes, of which those are looked at whose first byte has `value` under
    /// `mask`; nil for one.
    package let frame: (bytes: Int, mask: UInt8, value: UInt8)?

    /// - Parameters:
    ///   - quantity: The quantity.
    ///   - register: The register with which the transfer begins.
    ///   - offset: The first count's first byte in it.
    ///   - coding: How a count is stored.
    ///   - axes: Three words such as `+x -z +y`, in the order of the counts.
    ///   - frame: The frames of a tagged FIFO.
    ///   - scales: The size of a count by range.
    init(
      _ quantity: Quantity, from register: UInt8, at offset: Int, _ coding: Coding, _ axes: String,
      frame: (bytes: Int, mask: UInt8, value: UInt8)? = nil, _ scales: [Scale]
    ) {
      (self.quantity, self.register, self.offset) = (quantity, register, offset)
      (self.coding, self.frame, self.scales) = (coding, frame, scales)
      self.axes = axes.split(separator: " ").map { word in
        (word.hasSuffix("x") ? 0 : word.hasSuffix("y") ? 1 : 2, word.hasPrefix("-") ? -1.0 : 1.0)
      }
    }
  }

#endif
