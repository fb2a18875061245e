/// What Foundation has on Apple's platforms and not, or elsewhere, on Linux: as the compilers of
/// Swift 6.0 to 6.3 report it. Names that a module of their own is imported for are not here.
package enum LinuxFoundation {
  /// The types of other modules, by the module.
  package static let moved: [String: Set<String>] = [
    "FoundationNetworking": [
      "CachedURLResponse", "HTTPCookie", "HTTPCookieStorage", "HTTPURLResponse",
      "URLAuthenticationChallenge",
      "URLCache", "URLCredential", "URLCredentialStorage", "URLProtectionSpace", "URLProtocol",
      "URLRequest", "URLResponse", "URLSession", "URLSessionConfiguration",
      "URLSessionDataDelegate", "URLSessionDataTask", "URLSessionDelegate",
      "URLSessionDownloadDelegate", "URLSessionDownloadTask", "URLSessionTask",
      "URLSessionTaskDelegate", "URLSessionUploadTask", "URLSessionWebSocketTask",
    ],
    "FoundationXML": ["XMLDocument", "XMLElement", "XMLNode", "XMLParser", "XMLParserDelegate"],
  ]

  /// Types and functions that are absent, with what to write.
  package static let absent: [String: String] = [
    "CFAbsoluteTimeGetCurrent": "write Date().timeIntervalSinceReferenceDate",
    "CGAffineTransform": "write the six numbers out",
    "CGVector": "use CGPoint or CGSize",
    "DateComponentsFormatter": "write Duration.formatted()",
    "FileWrapper": "use FileManager",
    "ListFormatter": "write the array's formatted()",
    "LocalizedStringResource": "use NSLocalizedString",
    "MeasurementFormatter": "write the value's formatted() and the unit's symbol",
    "NSDataDetector": "use NSRegularExpression",
    "NSException": "throw an Error",
    "NSExtensionContext": "there are no extensions of programs",
    "NSFileCoordinator": "use FileManager",
    "NSFilePresenter": "use FileManager",
    "NSHashTable": "keep boxes with weak references in an array",
    "NSInvocation": "call with a closure",
    "NSItemProvider": "there is no pasteboard",
    "NSKeyValueObservation": "there is no key-value observing; take didSet",
    "NSLinguisticTagger": "there is no tagger",
    "NSMapTable": "keep boxes with weak references in a dictionary",
    "NSMetadataQuery": "there is no Spotlight",
    "NSPointerArray": "keep boxes with weak references in an array",
    "NSProxy": "write a class that conforms to the protocol",
    "NSUbiquitousKeyValueStore": "there is no iCloud; use UserDefaults",
    "NSUserActivity": "there is no Handoff",
    "NSXPCConnection": "use a socket or D-Bus",
    "NetService": "use Avahi",
    "RelativeDateTimeFormatter": "write Date.formatted(.relative(presentation: .named))",
    "UndoManager": "keep the changes in an array",
    "mach_absolute_time": "use ContinuousClock, or DispatchTime.now()",
    "mach_timebase_info": "use ContinuousClock, or DispatchTime.now()",
    "os_unfair_lock": "use Mutex of Synchronization, or NSLock",
  ]

  /// Initialisers that are absent, by type and first label, with what to write.
  package static let absentInitializers: [String: [String: String]] = [
    "ProcessInfo": ["": "write ProcessInfo.processInfo"],
    "NSPredicate": ["format": "write NSPredicate(block:), or a closure"],
    "NSSortDescriptor": ["key": "write NSSortDescriptor(keyPath:ascending:), or sorted(by:)"],
    "String": ["localized": "use NSLocalizedString"],
  ]

  /// Members of `ProcessInfo.processInfo` that are absent.
  package static let absentOfProcess: Set<String> = [
    "beginActivity", "endActivity", "isLowPowerModeEnabled", "isMacCatalystApp", "isiOSAppOnMac",
    "performActivity", "performExpiringActivity", "thermalState",
  ]
}
