// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineStore

extension SoundCopies {
    /// The copy of one version of a film with one sound.
    struct Key: Hashable, Sendable {
        let item: ItemID
        let number: Int
        let stamp: FileStamp
    }

    /// A copy in progress.
    typealias Making = Task<Result<String, LibraryError>, Never>

    /// The next step of a caller that needs a copy.
    enum Step {
        /// The copy exists.
        case use
        /// A task is making the copy.
        case wait(Making)
        /// The process is ending.
        case refuse
    }

    /// The kept copies and the copies in progress.
    struct State {
        /// The kept copies, with the most recently used copy last.
        private(set) var kept: [Key] = []
        var making: [Key: Making] = [:]
        var isStopped = false
        /// The most recently started copy.
        ///
        /// The next copy waits until this copy ends.
        private var last: Making?

        /// Returns the next step for a copy.
        ///
        /// If the copy neither exists nor is in progress, this method starts the copy.
        ///
        /// - Parameters:
        ///   - key: The copy.
        ///   - isThere: Whether the file of the copy exists.
        ///   - start: A closure that starts a copy, which waits for the end of the former copy.
        /// - Returns: The step.
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

        /// Keeps a finished copy.
        ///
        /// Returns false if the copy was removed in the meantime.
        mutating func keep(_ key: Key) -> Bool {
            guard making.removeValue(forKey: key) != nil else { return false }
            kept.append(key)
            return true
        }

        /// Drops the copies that make room for a new copy from the state, and returns the dropped
        /// copies.
        mutating func makeRoom(for key: Key) -> [Key] {
            let surplus = Set(kept.dropLast(SoundCopies.count - 1))
            return removeKept {
                surplus.contains($0) || $0.item == key.item && $0.number == key.number
            }
        }

        /// Drops copies from the state, and returns the kept copies and the tasks in progress.
        mutating func remove(_ isOver: (Key) -> Bool) -> (copies: [Key], tasks: [Making]) {
            let tasks = making.filter { isOver($0.key) }
            for key in tasks.keys { making.removeValue(forKey: key) }
            return (removeKept(isOver), Array(tasks.values))
        }

        /// Drops kept copies from the state, and returns the dropped copies.
        mutating func removeKept(_ isOver: (Key) -> Bool) -> [Key] {
            let copies = kept.filter(isOver)
            kept.removeAll(where: isOver)
            return copies
        }
    }
}
