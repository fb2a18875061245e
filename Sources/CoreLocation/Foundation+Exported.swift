// Files written for an iPhone that import only CoreLocation use Date, DispatchQueue and RunLoop.
@_exported import Foundation
