// SPDX-License-Identifier: Apache-2.0

/// The work of a group while a schedule ran, and the promises about the work.
struct WorkHistory: Sendable {
    enum Entry: Sendable {
        case connected(Life, over: Int)
        /// The start of a call, with the connections that the server still has.
        ///
        /// The server gives out the work of all connections that are lost.
        case began(Int, by: Life, living: Set<Int>)
        case ended(Int, by: Life, throwing: Bool)
        case killed(Life)
    }

    /// One call of a handler.
    private struct Call {
        let life: Life
        /// The connection over which the work came, or nil if the connection is not certain.
        let connection: Int?
    }

    /// The posts by message number, which grows with each post.
    private(set) var posts: [ScheduledPost] = []
    private(set) var entries: [Entry] = []
    /// The dead letters of all processes, and whether no process knew how the attempts ended.
    private var buried: [Int: Bool] = [:]

    mutating func post(by origin: Int, key: String? = nil, failures: Int = 0) -> Int {
        posts.append(ScheduledPost(origin: origin, key: key, failures: failures))
        return posts.count - 1
    }

    mutating func store(_ number: Int) { posts[number].isStored = true }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    mutating func bury(_ number: Int, isUnfinished: Bool) { buried[number] = isUnfinished }

    /// The stored work that no process has handled to its end or given up.
    var unfinished: [Int] {
        var handled: Set<Int> = []
        for case .ended(let number, _, false) in entries { handled.insert(number) }
        return posts.indices.filter { number in
            posts[number].isStored && !handled.contains(number) && buried[number] == nil
        }
    }

    var violations: [String] {
        var texts = unfinished.map { "B4: No process has finished \($0)" }
        texts += buried.keys.sorted().filter { !posts[$0].isPoison && buried[$0] == false }
            .map { "B8: \($0) is a dead letter after fewer failures" }
        return texts + wrongCalls + failures
    }

    /// Finds work that two processes have simultaneously, and work that is given out after the end.
    ///
    /// A lost connection in between excuses both.
    private var wrongCalls: [String] {
        var texts: [String] = []
        var connections: [Life: Int] = [:]
        // The first work after a connect may come from the previous connection.
        var isCertain: Set<Life> = []
        var atWork: [Int: [Call]] = [:]
        var done: [Int: [Call]] = [:]
        for entry in entries {
            switch entry {
            case .connected(let life, let connection):
                connections[life] = connection
                isCertain.remove(life)
            case .began(let number, let life, let living):
                let isFirst = isCertain.insert(life).inserted
                let new = Call(life: life, connection: isFirst ? nil : connections[life])
                let isKept = { (call: Call) in call.connection.map(living.contains) ?? false }
                let isWrong = { (old: Call) in old.life == life || isKept(old) && isKept(new) }
                for old in atWork[number, default: []] where isWrong(old) {
                    texts.append("B4: \(life) begins \(number), which \(old.life) has at work")
                }
                for old in done[number, default: []] where isWrong(old) {
                    texts.append("B5: \(life) begins \(number), which \(old.life) has finished")
                }
                atWork[number, default: []].append(new)
            case .ended(let number, let life, let throwing):
                let calls = atWork[number, default: []]
                atWork[number] = calls.filter { $0.life != life }
                if !throwing { done[number, default: []] += calls.filter { $0.life == life } }
            case .killed(let life):
                for number in atWork.keys { atWork[number]?.removeAll { $0.life == life } }
            }
        }
        return texts
    }

    /// Finds processes that have tried work too often.
    ///
    /// Each end of a process may forget a try.
    private var failures: [String] {
        var counts: [[Int]: Int] = [:]
        var ends: [Int: Int] = [:]
        for entry in entries {
            switch entry {
            case .connected(let life, _): ends[life.process] = life.number
            case .ended(let number, let life, true):
                counts[[number, life.process], default: 0] += 1
            default: break
            }
        }
        return counts.filter { $1 > FaultSchedule.attempts + ends[$0[1], default: 0] }.map {
            "B8: \($0[1]) has tried \($0[0]) \($1) times"
        }
    }
}
