// SPDX-License-Identifier: Apache-2.0

/// What a sequence holds when nobody has read it.
struct ModelBuffer: Hashable, Sendable {
    let numbers: [Int]
    let dropped: Int

    init(numbers: [Int], dropped: Int = 0) {
        self.numbers = numbers
        self.dropped = dropped
    }

    /// What is left of everything that was sent.
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
