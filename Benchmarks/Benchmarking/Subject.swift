// SPDX-License-Identifier: Apache-2.0

/// Code to measure, which one call repeats `count` times.
package struct Subject {
    /// The name of the row.
    package let name: String
    /// The number of units in one repetition, such as ten for a message to ten readers.
    let units: Int
    /// The duration of one measurement.
    let length: Duration
    private let body: (Int) -> Duration

    /// Creates a subject that does all its work on the calling thread.
    ///
    /// The subject is measured in processor time, which other load on the machine does not affect.
    package init(_ name: String, body: @escaping (Int) -> Void) {
        self.init(name, units: 1, length: .milliseconds(20)) { count in
            ProcessorTime.thread.measure { body(count) }
        }
    }

    /// Creates a subject whose `body` returns a measured duration.
    package init(_ name: String, units: Int, length: Duration, body: @escaping (Int) -> Duration) {
        self.name = name
        self.units = units
        self.length = length
        self.body = body
    }

    /// Returns the nanoseconds per unit over `count` repetitions.
    func nanoseconds(_ count: Int) -> Double {
        body(count).nanoseconds / Double(count * units)
    }

    /// Repeats the body for a duration.
    func run(for time: Duration) {
        let count = calibratedCount()
        let end = ContinuousClock.now + time
        repeat { _ = body(count) } while ContinuousClock.now < end
    }

    /// Returns the number of repetitions that take `length`, and warms the caches.
    func calibratedCount() -> Int {
        var count = 1
        while true {
            let time = body(count).nanoseconds
            if time >= 1e6 { return max(1, Int(Double(count) * length.nanoseconds / time)) }
            count *= 4
        }
    }
}
