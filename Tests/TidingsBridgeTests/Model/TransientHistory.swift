// SPDX-License-Identifier: Apache-2.0

/// The posted, received and counted transient messages of a schedule.
struct TransientHistory: Sendable {
    /// The losses that a process counts.
    struct Losses: Sendable {
        /// The number of messages that were posted and not sent.
        var out = 0
        /// The number of messages that arrived and were not handled.
        var back = 0
    }

    private struct Post {
        let life: Life
        let key: String?
        /// Whether the bridge has certainly taken the message.
        var isTaken = false
        /// Whether all processes were connected, and no process has lost the connection since.
        var mustArrive = false
    }

    private struct Arrival {
        let number: Int
        let life: Life
    }

    private var posts: [Post] = []
    private var arrivals: [Arrival] = []
    private var losses: [Life: Losses] = [:]
    /// The killed processes, whose counts are lost.
    private var killed: Set<Life> = []

    mutating func post(by life: Life, key: String?) -> Int {
        posts.append(Post(life: life, key: key))
        return posts.count - 1
    }

    mutating func take(_ number: Int) { posts[number].isTaken = true }

    /// Expects the newest message everywhere.
    mutating func expectLast() { posts[posts.count - 1].mustArrive = true }

    mutating func receive(_ number: Int, by life: Life) {
        arrivals.append(Arrival(number: number, life: life))
    }

    mutating func note(_ losses: Losses, of life: Life) { self.losses[life] = losses }

    mutating func kill(_ life: Life) { killed.insert(life) }

    private func received(by process: Int) -> Set<Int> {
        Set(arrivals.filter { $0.life.process == process }.map(\.number))
    }

    /// Returns the messages that connected processes have not received.
    func missing(of processes: Int) -> [String] {
        let last = posts.indices.filter { posts[$0].mustArrive }
        return (0..<processes).flatMap { process in
            let received = received(by: process)
            return last.filter { posts[$0].life.process != process && !received.contains($0) }
                .map { "B6: process \(process) was connected and has not received \($0)" }
        }
    }

    /// Compares missed messages with counted losses for a process whose connection never ended.
    ///
    /// The losses are counted by the process and by the senders.
    func imbalance(at process: Int) -> String? {
        let received = received(by: process)
        let missing = posts.indices.filter {
            posts[$0].life.process != process && !received.contains($0)
        }
        let certain = missing.filter { posts[$0].isTaken && !killed.contains(posts[$0].life) }
        let counted = losses.filter { !killed.contains($0.key) }.reduce(0) { sum, entry in
            sum + (entry.key.process == process ? entry.value.back : entry.value.out)
        }
        guard counted < certain.count || counted > missing.count else { return nil }
        return "B6: \(certain.count) to \(missing.count) messages are lost, \(counted) are counted"
    }

    func violations(processes: Int) -> [String] {
        missing(of: processes) + (0..<processes).flatMap(arrivals(at:)) + excessiveLosses
    }

    /// Finds messages that arrive twice, in another order or at their origin.
    private func arrivals(at process: Int) -> [String] {
        var texts: [String] = []
        var seen: Set<Int> = []
        var last: [String: Int] = [:]
        for arrival in arrivals where arrival.life.process == process {
            let number = arrival.number
            let post = posts[number]
            if !seen.insert(number).inserted {
                texts.append("B6: process \(process) receives \(number) twice")
            }
            if post.life.process == process {
                texts.append("B9: process \(process) has received its own \(number)")
            }
            guard let key = post.key else { continue }
            let lane = "\(post.life.process) \(key)"
            if let before = last[lane], before > number {
                texts.append("B7: process \(process) receives \(number) after \(before)")
            }
            last[lane] = number
        }
        return texts
    }

    /// Finds processes that count messages as lost although the messages have arrived.
    private var excessiveLosses: [String] {
        let received = Set(arrivals.map(\.number))
        return losses.keys.filter { !killed.contains($0) }.compactMap { life in
            let own = posts.indices.filter { posts[$0].life == life && !received.contains($0) }
            let counted = losses[life]?.out ?? 0
            return counted <= own.count
                ? nil : "B6: \(life) counts \(counted) messages as lost; \(own.count) are"
        }
    }
}
