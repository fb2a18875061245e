/// Finds code in iOS sources that behaves differently on Linux.
public struct PortCheck: Sendable {
  /// The rules, in the order of the porting guide.
  public static let rules: [any Rule] = [
    SubclassMethodRule(), NearMissRule(), PrivateMethodRule(), ExtensionOverrideRule(),
    ProtocolExtensionRule(),
    OptionalCallRule(), ObjectiveCRule(), VanishingCodeRule(), MissingModuleRule(),
    FoundationRule(),
    SubmoduleImportRule(), NSErrorRule(), BackgroundManagerRule(), ArchiveRule(),
    MainActorDelegateRule(), CoordinateEqualityRule(), LaunchOptionRule(), InfoPlistRule(),
    ManifestRule(), SyntaxRule(),
  ]

  /// The delegate's methods as declarations have them, without `func`.
  public static let delegateMethods: [String] = DelegateMethod.all.map(\.signature)

  /// Checks a set of sources with every rule.
  /// - Parameter sources: The files to check.
  /// - Returns: The findings, by file, line and column.
  public static func report(on sources: SourceSet) -> Report {
    let findings = rules.flatMap { $0.findings(in: sources) } + sources.unreadable
    return Report(
      files: sources.files.count + sources.unreadable.count,
      filesWithCoreLocation: sources.files.filter(\.usesCoreLocation).count,
      findings: findings.sorted {
        ($0.file, $0.line, $0.column, $0.rule) < ($1.file, $1.line, $1.column, $1.rule)
      },
      missingModules: MissingModuleRule.modules(in: sources))
  }
}

/// One rule of the check.
public protocol Rule: Sendable {
  /// The name that findings carry.
  var name: String { get }
  /// The subject of the rule, in one sentence.
  var summary: String { get }
  /// Looks through the sources.
  /// - Parameter sources: All that are checked.
  /// - Returns: The findings, in any order.
  func findings(in sources: SourceSet) -> [Finding]
}
