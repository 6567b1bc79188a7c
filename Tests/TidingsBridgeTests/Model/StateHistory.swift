// SPDX-License-Identifier: Apache-2.0

/// The changes of a mirrored state while a schedule ran, and the values that each process showed.
struct StateHistory: Sendable {
    private struct Change {
        let life: Life
        /// Whether the bridge has certainly taken the change.
        var isTaken = false
    }

    /// The changes by number, which grows with each change.
    private var changes: [Change] = []
    private var shown: [(number: Int, life: Life)] = []
    private var killed: Set<Life> = []

    mutating func change(by life: Life) -> Int {
        changes.append(Change(life: life))
        return changes.count - 1
    }

    mutating func take(_ number: Int) { changes[number].isTaken = true }

    mutating func show(_ number: Int, by life: Life) { shown.append((number, life)) }

    mutating func kill(_ life: Life) { killed.insert(life) }

    /// - Parameters:
    ///   - stored: The values in the stream.
    ///   - newest: The values that the processes show at the end.
    /// - Returns: The violations.
    func violations(stored: [Int], shown newest: [Int?]) -> [String] {
        let texts = newest.enumerated().filter { $1 != stored.last }.map { process, number in
            "B10: process \(process) shows \(number as Any), the newest is \(stored.last as Any)"
        }
        return texts + losses(stored) + stepsBack
    }

    /// Finds processes whose last change never reached the stream.
    private func losses(_ stored: [Int]) -> [String] {
        let lives = Set(changes.map(\.life)).subtracting(killed)
        return lives.compactMap { life in
            let taken = changes.indices.last { changes[$0].life == life && changes[$0].isTaken }
            guard let taken else { return nil }
            let isStored = stored.contains { changes[$0].life == life && $0 >= taken }
            return isStored ? nil : "B4: change \(taken), the last one of \(life), is lost"
        }
    }

    /// Finds processes that show an older value of one process after a newer one.
    private var stepsBack: [String] {
        var texts: [String] = []
        var last: [[Int]: Int] = [:]
        for (number, life) in shown {
            let lane = [life.process, life.number, changes[number].life.process]
            if let before = last[lane], before > number {
                texts.append("B7: \(life) shows \(number) after \(before)")
            }
            last[lane] = number
        }
        return texts
    }
}
