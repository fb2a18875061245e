/// The language of one of the makers but u-blox; an enumeration, as Embedded Swift has no
/// existential types.
enum AnyDialect: MakerDialect {
  case mediaTek(MTKDialect)
  case quectel(QuectelDialect)
  case unicore(UnicoreDialect)
  case casic(CASICDialect)
  case skyTraq(SkyTraqDialect)

  /// Nil for u-blox, which has `UBXSetup`.
  init?(_ identity: ReceiverIdentity) {
    switch identity.maker {
    case .ublox: return nil
    case .mediaTek: self = .mediaTek(MTKDialect())
    case .quectel: self = .quectel(QuectelDialect(model: identity.model))
    case .unicore: self = .unicore(UnicoreDialect(model: identity.model))
    case .casic: self = .casic(CASICDialect(firmware: identity.firmware))
    case .skyTraq: self = .skyTraq(SkyTraqDialect())
    }
  }

  private func with<Result>(
    _ mediaTek: (MTKDialect) -> Result, _ quectel: (QuectelDialect) -> Result,
    _ unicore: (UnicoreDialect) -> Result, _ casic: (CASICDialect) -> Result,
    _ skyTraq: (SkyTraqDialect) -> Result
  ) -> Result {
    switch self {
    case .mediaTek(let dialect): mediaTek(dialect)
    case .quectel(let dialect): quectel(dialect)
    case .unicore(let dialect): unicore(dialect)
    case .casic(let dialect): casic(dialect)
    case .skyTraq(let dialect): skyTraq(dialect)
    }
  }

  var values: SetupValues {
    with({ $0.values }, { $0.values }, { $0.values }, { $0.values }, { $0.values })
  }
  var question: DialectCommand {
    with({ $0.question }, { $0.question }, { $0.question }, { $0.question }, { $0.question })
  }
  var saving: [DialectCommand] {
    with({ $0.saving }, { $0.saving }, { $0.saving }, { $0.saving }, { $0.saving })
  }
  var restart: [DialectCommand] {
    with({ $0.restart }, { $0.restart }, { $0.restart }, { $0.restart }, { $0.restart })
  }
  var changesBaudAtRestart: Bool {
    if case .quectel(let dialect) = self { dialect.changesBaudAtRestart } else { false }
  }
  func needsRestart(_ property: ReceiverProperty) -> Bool {
    if case .quectel(let dialect) = self { dialect.needsRestart(property) } else { false }
  }
  var factoryDefaults: [DialectCommand] {
    with(
      { $0.factoryDefaults }, { $0.factoryDefaults }, { $0.factoryDefaults },
      { $0.factoryDefaults }, { $0.factoryDefaults })
  }

  mutating func receive(_ frame: SetupFrameReader.Frame) -> SetupReply? {
    switch self {
    case .mediaTek(var dialect):
      defer { self = .mediaTek(dialect) }
      return dialect.receive(frame)
    case .quectel(var dialect):
      defer { self = .quectel(dialect) }
      return dialect.receive(frame)
    case .unicore(var dialect):
      defer { self = .unicore(dialect) }
      return dialect.receive(frame)
    case .casic(var dialect):
      defer { self = .casic(dialect) }
      return dialect.receive(frame)
    case .skyTraq(var dialect):
      defer { self = .skyTraq(dialect) }
      return dialect.receive(frame)
    }
  }

  func obstacle(to value: ReceiverValue, isSaved: Bool) -> String? {
    with(
      { $0.obstacle(to: value, isSaved: isSaved) }, { $0.obstacle(to: value, isSaved: isSaved) },
      { $0.obstacle(to: value, isSaved: isSaved) }, { $0.obstacle(to: value, isSaved: isSaved) },
      { $0.obstacle(to: value, isSaved: isSaved) })
  }

  func queries(for property: ReceiverProperty) -> [DialectCommand] {
    with(
      { $0.queries(for: property) }, { $0.queries(for: property) }, { $0.queries(for: property) },
      { $0.queries(for: property) }, { $0.queries(for: property) })
  }

  func observes(_ property: ReceiverProperty) -> Bool {
    with(
      { $0.observes(property) }, { $0.observes(property) }, { $0.observes(property) },
      { $0.observes(property) }, { $0.observes(property) })
  }

  func commands(for value: ReceiverValue, _ output: OutputObservation) -> [DialectCommand] {
    with(
      { $0.commands(for: value, output) }, { $0.commands(for: value, output) },
      { $0.commands(for: value, output) }, { $0.commands(for: value, output) },
      { $0.commands(for: value, output) })
  }
}
