// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The waits between calls of asynchronous handlers, so that no call ends up waiting for itself.
///
/// A call that waits for a mailbox waits for every call that runs there. A wait that would close a
/// cycle does not start.
struct WaitGraph: Sendable {
    /// The target of a wait.
    enum Goal: Hashable {
        /// A message in the mailbox with this number.
        case mailbox(UInt64)
        /// The call with this number.
        case call(UInt64)
    }

    private struct Waiting {
        let mailbox: UInt64
        /// The number of waits for each goal, including waits of tasks that the call started.
        var goals: [Goal: Int] = [:]
    }

    /// The calls that wait, by their numbers.
    private var waiting: [UInt64: Waiting] = [:]

    var isEmpty: Bool { waiting.isEmpty }

    /// Records that a call starts to wait, or returns false if the call would wait for itself.
    mutating func add(_ call: UInt64, in mailbox: UInt64, waitsFor goal: Goal) -> Bool {
        guard !leads(from: goal, to: call, in: mailbox) else { return false }
        waiting[call, default: Waiting(mailbox: mailbox)].goals[goal, default: 0] += 1
        return true
    }

    /// Removes a recorded wait.
    mutating func remove(_ call: UInt64, waitsFor goal: Goal) {
        guard let count = waiting[call]?.goals[goal] else { return }
        waiting[call]?.goals[goal] = count > 1 ? count - 1 : nil
        if waiting[call]?.goals.isEmpty == true { waiting[call] = nil }
    }

    private func leads(from goal: Goal, to call: UInt64, in mailbox: UInt64) -> Bool {
        var open = [goal]
        var seen: Set<Goal> = []
        while let next = open.popLast() {
            if next == .call(call) || next == .mailbox(mailbox) { return true }
            guard seen.insert(next).inserted else { continue }
            switch next {
            case .call(let other): open += waiting[other]?.goals.keys ?? [:].keys
            case .mailbox(let other):
                for one in waiting.values where one.mailbox == other { open += one.goals.keys }
            }
        }
        return false
    }
}

extension WaitGraph {
    private static let shared = Lock(WaitGraph())

    /// Records that the current task's call starts to wait, or returns false if it must not.
    ///
    /// Code that does not run inside an asynchronous handler may wait for anything.
    static func begin(_ call: MailboxCall?, waitsFor goal: Goal) -> Bool {
        guard let call else { return true }
        return shared.withLock { $0.add(call.id, in: call.mailbox, waitsFor: goal) }
    }

    /// Records that the wait is over.
    static func end(_ call: MailboxCall?, waitsFor goal: Goal) {
        guard let call else { return }
        shared.withLock { $0.remove(call.id, waitsFor: goal) }
    }
}
