// Names a type of each module, so that both are compiled and linked: `Tests/Rig/ported-sources` builds this program
// with another compiler.
import PortedSources5
import PortedSources6

print("sources for Swift 5 and Swift 6 compile and link")
