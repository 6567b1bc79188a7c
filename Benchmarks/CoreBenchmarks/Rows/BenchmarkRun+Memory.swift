// SPDX-License-Identifier: Apache-2.0
import Benchmarking

extension BenchmarkRun {
    mutating func memory() {
        measure("live observation of a closure", unit: "bytes", .atMost(128)) {
            Footprint(1_000_000).closure()
        }
        measure("live observation with an owner", unit: "bytes", .atMost(128 + 48)) {
            Footprint(1_000_000).owned()
        }
        measure("idle key of a family", unit: "bytes", .atMost(1_024)) {
            FamilyKeys.footprint(100_000)
        }
        // Some cancelled registrations wait for a release together.
        measure("heap after 10,000 rounds of observe and cancel", unit: "bytes", .atMost(8_192)) {
            Footprint(10_000).rounds()
        }
    }
}
