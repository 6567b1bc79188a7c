// SPDX-License-Identifier: Apache-2.0

/// The turns that a thread is running, and the work that waits for their end.
///
/// A home has a turn while a handler of the home is on the thread's stack. Turns of several homes
/// nest.
struct Turns {
    private struct Turn {
        let home: ObjectIdentifier
        var waiting: ContiguousArray<() -> Void>
    }

    /// The home of the innermost turn, nil between turns.
    private var home: ObjectIdentifier?
    /// The work that waits for the end of the innermost turn.
    private var waiting: ContiguousArray<() -> Void> = []
    /// The turns around the innermost turn.
    private var outer: ContiguousArray<Turn> = []

    /// Whether `home` has a turn.
    func contains(_ home: ObjectIdentifier) -> Bool {
        guard let innermost = self.home else { return false }
        return innermost == home || (!outer.isEmpty && outer.contains { $0.home == home })
    }

    /// Keeps work until the end of the turn that `home` has.
    mutating func append(_ work: @escaping () -> Void, for home: ObjectIdentifier) {
        if self.home == home {
            waiting.append(work)
        } else if let index = outer.firstIndex(where: { $0.home == home }) {
            outer[index].waiting.append(work)
        } else {
            preconditionFailure("Only a delivery in progress can have something waiting.")
        }
    }

    /// Starts a turn inside the existing turns.
    mutating func begin(_ home: ObjectIdentifier) {
        if let innermost = self.home {
            outer.append(Turn(home: innermost, waiting: waiting))
            waiting = []
        }
        self.home = home
    }

    /// Takes the work that waits for the end of the innermost turn, or ends the turn and returns
    /// nil.
    mutating func end() -> ContiguousArray<() -> Void>? {
        if !waiting.isEmpty {
            defer { waiting = [] }
            return waiting
        }
        if outer.isEmpty {
            home = nil
        } else {
            let turn = outer.removeLast()
            (home, waiting) = (turn.home, turn.waiting)
        }
        return nil
    }
}
