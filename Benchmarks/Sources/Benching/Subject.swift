// SPDX-License-Identifier: Apache-2.0

/// Something to measure, done `count` times by a call.
package struct Subject {
    package let name: String
    /// How many things one of `count` does: a message to ten readers counts as ten.
    let units: Int
    /// How long one measurement takes.
    let length: Duration
    private let body: (Int) -> Duration

    /// Measures the whole of `body`, which does all its work on the calling thread.
    ///
    /// What counts is the processor's time, so that a machine with other things to do shows the
    /// same.
    package init(_ name: String, body: @escaping (Int) -> Void) {
        self.init(name, units: 1, length: .milliseconds(20)) { count in
            ProcessorTime.thread.measure { body(count) }
        }
    }

    /// Measures what `body` says that it took.
    package init(_ name: String, units: Int, length: Duration, body: @escaping (Int) -> Duration) {
        self.name = name
        self.units = units
        self.length = length
        self.body = body
    }

    /// Nanoseconds for each unit of `count` runs.
    func nanoseconds(_ count: Int) -> Double {
        body(count).nanoseconds / Double(count * units)
    }

    /// Does nothing else for that long.
    func run(for time: Duration) {
        let count = calibratedCount()
        let end = ContinuousClock.now + time
        repeat { _ = body(count) } while ContinuousClock.now < end
    }

    /// How many runs take that long; finding out warms the caches.
    func calibratedCount() -> Int {
        var count = 1
        while true {
            let time = body(count).nanoseconds
            if time >= 1e6 { return max(1, Int(Double(count) * length.nanoseconds / time)) }
            count *= 4
        }
    }
}
