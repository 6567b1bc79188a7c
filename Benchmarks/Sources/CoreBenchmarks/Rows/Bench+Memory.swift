// SPDX-License-Identifier: Apache-2.0

extension Bench {
    mutating func memory() {
        measure("live observation of a closure", unit: "bytes", .atMost(128)) {
            Footprint(1_000_000).closure()
        }
        measure("live observation with an owner", unit: "bytes", .atMost(128 + 48)) {
            Footprint(1_000_000).owned()
        }
        measure("heap after 10,000 rounds of observe and cancel", unit: "bytes", .atMost(0)) {
            Footprint(10_000).rounds()
        }
    }
}
