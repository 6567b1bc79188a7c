// SPDX-License-Identifier: Apache-2.0

/// The content of a sequence before any value was read.
struct ModelBuffer: Hashable, Sendable {
    let numbers: [Int]
    let dropped: Int

    init(numbers: [Int], dropped: Int = 0) {
        self.numbers = numbers
        self.dropped = dropped
    }

    /// Keeps the part of all sent messages that a buffer holds.
    init(of sent: [Int], _ buffer: ModelObservation.Buffer) {
        numbers =
            switch buffer {
            case .newest(let count): sent.suffix(count)
            case .oldest(let count): Array(sent.prefix(count))
            case .unbounded: sent
            }
        dropped = sent.count - numbers.count
    }
}
