#if !hasFeature(Embedded)

  extension ChipFact {
    /// The facts by chip, one line a chip; each chip's rows stand in a file of their own.
    public static let table: [(model: ChipModel, facts: [ChipFact])] = [
      (.lis2mdl, lis2mdl),
      (.dps310, dps310),
      (.spl06, spl06),
      (.spl07, spl07),
      (.ms5611, ms5611),
      (.ms5607, ms5607),
      (.ms5637, ms5637),
      (.ms5837With30Bar, ms5837With30Bar),
      (.ms5837With2Bar, ms5837With2Bar),
      (.qmp6988, qmp6988),
      (.smpb02b, smpb02b),
      (.mpl3115a2, mpl3115a2),
      (.bme680, bme680),
    ]
  }

  extension ChipModel {
    /// What is known of it, with sources; empty for a chip of the kernel.
    public var facts: [ChipFact] { ChipFact.table.first { $0.model == self }?.facts ?? [] }

    /// Its facts that fewer than two sources agree on, each as a line for its user.
    public var cautions: [String] {
      facts.compactMap(\.caution).map { "\(rawValue), not proven: \($0)" }
    }
  }

#endif
