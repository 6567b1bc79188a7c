// SPDX-License-Identifier: Apache-2.0

extension SoundCopies {
    /// The copy of one version of a film with one sound.
    struct Key: Hashable, Sendable {
        let item: ItemID
        let number: Int
        let stamp: FileStamp
    }

    /// A copy in work.
    typealias Making = Task<Result<String, LibraryError>, Never>

    /// The way to a copy.
    enum Step {
        /// It is there.
        case use
        /// It is being made.
        case wait(Making)
        /// The process ends.
        case refuse
    }

    /// The kept copies and those in work.
    struct State {
        /// The kept copies; the one that was used last comes last.
        private(set) var kept: [Key] = []
        var making: [Key: Making] = [:]
        var isStopped = false
        /// The copy that was begun last; the next one waits for its end.
        private var last: Making?

        /// Returns the way to a copy.
        ///
        /// - Parameters:
        ///   - key: The copy.
        ///   - isThere: Whether its file exists.
        ///   - start: Begins a copy that waits for the end of a former one.
        /// - Returns: The way; a copy that is neither there nor in work begins.
        mutating func begin(_ key: Key, isThere: Bool, start: (Making?) -> Making) -> Step {
            if isStopped { return .refuse }
            if let task = making[key] { return .wait(task) }
            let isKept = kept.contains(key)
            kept.removeAll { $0 == key }
            if isKept, isThere {
                kept.append(key)
                return .use
            }
            let task = start(last)
            (making[key], last) = (task, task)
            return .wait(task)
        }

        /// Keeps a finished copy, and returns whether anybody still wants it.
        mutating func keep(_ key: Key) -> Bool {
            guard making.removeValue(forKey: key) != nil else { return false }
            kept.append(key)
            return true
        }

        /// Forgets the copies that give way to a new one, and returns them.
        mutating func makeRoom(for key: Key) -> [Key] {
            let surplus = Set(kept.dropLast(SoundCopies.count - 1))
            return removeKept {
                surplus.contains($0) || $0.item == key.item && $0.number == key.number
            }
        }

        /// Forgets copies, and returns those that were kept and those in work.
        mutating func remove(_ isOver: (Key) -> Bool) -> (copies: [Key], tasks: [Making]) {
            let tasks = making.filter { isOver($0.key) }
            for key in tasks.keys { making.removeValue(forKey: key) }
            return (removeKept(isOver), Array(tasks.values))
        }

        /// Forgets kept copies, and returns them.
        mutating func removeKept(_ isOver: (Key) -> Bool) -> [Key] {
            let copies = kept.filter(isOver)
            kept.removeAll(where: isOver)
            return copies
        }
    }
}
