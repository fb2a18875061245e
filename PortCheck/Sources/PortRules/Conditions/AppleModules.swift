/// The modules of Apple's platforms.
package enum AppleModules {
  /// The modules that Linux has too: of the toolchain, and Lodestar's.
  package static let common: Set<String> = lodestars.union([
    "CoreFoundation", "Cxx", "CxxStdlib", "Dispatch", "Distributed", "Foundation",
    "FoundationEssentials", "FoundationInternationalization", "Observation", "RegexBuilder",
    "Swift", "Synchronization", "Testing", "XCTest", "_Concurrency", "_Differentiation",
    "_StringProcessing",
  ])

  /// The modules that a dependency on Lodestar provides.
  package static let lodestars: Set<String> = ["Contacts", "CoreLocation", "CoreMotion"]

  /// What replaces a missing module: packages with Linux among their platforms, or the toolchain's
  /// own.
  private static let advice: [String: String] = [
    "Accelerate": "write the loops, or use SIMD2 to SIMD64 of the standard library",
    "AppKit": "no replacement: there are no views here",
    "BackgroundTasks": "let a systemd timer start the program",
    "Combine":
      "use OpenCombine, or an AsyncSequence as CLLocationUpdate.liveUpdates(); 'import "
      + "OpenCombineShim' takes the one that is there",
    "CommonCrypto": "use swift-crypto, whose module is Crypto",
    "CoreBluetooth": "for beacons CLLocationManager ranges without it; else BlueZ by D-Bus",
    "CoreData": "use a database, as SQLite by GRDB",
    "CoreGraphics": "CGFloat, CGPoint, CGSize and CGRect are Foundation's here",
    "CoreLocationUI": "no replacement: there is no button; call requestWhenInUseAuthorization()",
    "CryptoKit": "use swift-crypto, whose module is Crypto",
    "Darwin": "import Glibc, or Foundation, which has most of it",
    "MapKit": "no replacement for the MK… types; import CoreLocation for the CL… types",
    "MetricKit": "use swift-metrics, whose module is Metrics",
    "Network": "use SwiftNIO, or URLSession of FoundationNetworking",
    "OSLog": "use swift-log, whose module is Logging",
    "ObjectiveC": "no replacement: there is no Objective-C runtime",
    "QuartzCore": "no replacement; measure times with ContinuousClock",
    "SQLite3": "declare a system library target for libsqlite3, or use GRDB",
    "SwiftData": "use a database, as SQLite by GRDB",
    "SwiftUI": "no replacement: there are no views here",
    "System": "use swift-system, whose module is SystemPackage",
    "UIKit": "no replacement: there are no views here",
    "UserNotifications": "no replacement: notify the user by MQTT, D-Bus or a log",
    "os":
      "use swift-log, whose module is Logging, for Logger and os_log, and Mutex of "
      + "Synchronization for a lock",
    "simd": "SIMD2 to SIMD64 are the standard library's",
    "zlib": "declare a system library target for zlib",
  ]

  /// Other modules of Apple's platforms, without a replacement.
  private static let others: Set<String> = [
    "AVFAudio", "AVFoundation", "AVKit", "Accessibility", "Accounts", "ActivityKit", "AdServices",
    "AdSupport", "AddressBook", "AlarmKit", "AppClip", "AppIntents", "AppTrackingTransparency",
    "ARKit", "AssetsLibrary", "AudioToolbox", "AudioUnit", "AuthenticationServices",
    "BackgroundAssets", "BusinessChat", "CFNetwork", "CallKit", "CarPlay", "Charts", "ClassKit",
    "ClockKit", "CloudKit", "Cocoa", "Compression", "ContactsUI", "CoreAudio", "CoreAudioTypes",
    "CoreHaptics", "CoreImage", "CoreMIDI", "CoreML", "CoreMedia", "CoreNFC", "CoreServices",
    "CoreSpotlight", "CoreTelephony", "CoreText", "CoreTransferable", "CoreVideo", "CreateML",
    "CryptoTokenKit", "DeveloperToolsSupport", "DeviceActivity", "DeviceCheck", "EventKit",
    "EventKitUI", "ExposureNotification", "ExternalAccessory", "FamilyControls", "FileProvider",
    "FinanceKit", "GLKit", "GameController", "GameKit", "GameplayKit", "GroupActivities",
    "HealthKit", "HealthKitUI", "HomeKit", "IOKit", "IOSurface", "IdentityLookup", "ImageIO",
    "Intents", "IntentsUI", "JavaScriptCore", "LinkPresentation", "LocalAuthentication",
    "ManagedSettings", "Matter", "MediaPlayer", "MediaToolbox", "MessageUI", "Messages", "Metal",
    "MetalKit", "MetalPerformanceShaders", "MobileCoreServices", "ModelIO",
    "MultipeerConnectivity", "MusicKit", "NaturalLanguage", "NearbyInteraction",
    "NetworkExtension", "NotificationCenter", "OpenGLES", "PDFKit", "PassKit", "PencilKit",
    "Photos", "PhotosUI", "PlaygroundSupport", "PushKit", "QuickLook", "QuickLookThumbnailing",
    "RealityKit", "ReplayKit", "RoomPlan", "SafariServices", "SceneKit", "ScreenTime", "Security",
    "SensorKit", "ShazamKit", "Social", "SoundAnalysis", "Spatial", "Speech", "SpriteKit",
    "StoreKit", "SwiftUICore", "SystemConfiguration", "TabularData", "TipKit", "Translation",
    "UniformTypeIdentifiers", "UserNotificationsUI", "VideoToolbox", "Vision", "VisionKit",
    "WatchConnectivity", "WatchKit", "WeatherKit", "WebKit", "WidgetKit", "WorkoutKit",
  ]

  /// All that Linux does not have.
  package static let missing: Set<String> = others.union(advice.keys)

  /// What replaces a missing module.
  static func advice(for name: String) -> String { advice[name] ?? "no replacement" }
}
