// SPDX-License-Identifier: Apache-2.0

/// What the promises say about a program of one thread: every call, its order, every number.
///
/// It is as simple as it can be: arrays, sorted when needed, and recursion.
struct ReferenceModel: Sendable {
    private struct Entry {
        let observation: ModelObservation
        var calls = 0
        var isActive = true
        /// What a sequence holds.
        var buffer: [Int] = []
    }

    private struct Owner {
        /// Whether the program still refers to it.
        var isHeld = true
        /// How many calls keep it alive.
        var calls = 0
        var isAlive = true
        /// The tokens it stores.
        var tokens: [Int] = []
    }

    private struct Waiting {
        let message: Int
        let recipients: [Int]
    }

    private let program: ModelProgram
    /// By observation; in the order of `order` they were registered.
    private var entries: [Int: Entry] = [:]
    private var order: [Int] = []
    private var owners: [Owner]
    private var kept: Set<Int> = []
    private var bags: [[Int]]
    /// What waits for the end of the turn of each center that has one.
    private var turns: [Int: [Waiting]] = [:]

    private(set) var events: [ModelEvent] = []
    /// How many recipients of a post lost their owner before their turn came: whether `post`
    /// counts those is left open, unless it only queued the message.
    private(set) var leeway: [Int: Int] = [:]

    init(_ program: ModelProgram) {
        self.program = program
        owners = Array(repeating: Owner(), count: program.owners.count)
        bags = Array(repeating: [], count: program.bags)
    }

    /// What the sequences that were not dropped hold at the end.
    var buffers: [Int: [Int]] {
        entries.filter { kept.contains($0.key) && $0.value.observation.form == .sequence }
            .mapValues(\.buffer)
    }

    /// Runs the whole program.
    mutating func run() {
        for operation in program.setup + program.threads.flatMap(\.self) { perform(operation) }
        for owner in owners.indices { release(owner) }
        guard !program.tokensOutliveCenters else { return }
        for id in 0..<program.observations { cancel(id) }
        for bag in bags.indices { empty(bag, .bag) }
    }

    mutating func perform(_ operation: ModelOperation) {
        switch operation {
        case .observe(let observation): observe(observation)
        case .cancel(let id): cancel(id)
        case .drop(let id): drop(id)
        case .post(let number, let place): post(number, at: place)
        case .count(let place):
            events += [.counting(place), .counted(place, recipients(at: place).count)]
        case .release(let owner): release(owner)
        case .empty(let bag, let byDropping): empty(bag, byDropping ? .bagDrop : .bag)
        case .churn(let place, let count):
            events += [.churning(place, count), .churned(place, count)]
        case .pause: break
        }
    }
}

extension ReferenceModel {
    private mutating func observe(_ observation: ModelObservation) {
        if let owner = observation.owner, !owners[owner].isHeld { return }
        let id = observation.id
        events.append(.observing(id))
        entries[id] = Entry(observation: observation)
        order.append(id)
        switch observation.keeping {
        case .program: kept.insert(id)
        case .bag(let bag): bags[bag].append(id)
        case .owner: observation.owner.map { owners[$0].tokens.append(id) }
        case .nobody: break
        }
        events.append(.observed(id))
    }

    private mutating func cancel(_ id: Int) {
        guard kept.contains(id) else { return }
        events += [.ending(id, .cancel), .ended(id, .cancel)]
        entries[id]?.isActive = false
    }

    private mutating func drop(_ id: Int) {
        guard kept.remove(id) != nil else { return }
        events += [.ending(id, .drop), .ended(id, .drop)]
        // Dropping the token of a living owner changes nothing.
        if entries[id]?.observation.owner == nil { entries[id]?.isActive = false }
    }

    private mutating func empty(_ bag: Int, _ kind: ModelEnd) {
        let ids = bags[bag]
        bags[bag] = []
        events += ids.map { .ending($0, kind) }
        for id in ids { entries[id]?.isActive = false }
        events += ids.reversed().map { .ended($0, kind) }
    }

    private mutating func release(_ owner: Int) {
        guard owners[owner].isHeld else { return }
        events.append(.releasing(owner: owner))
        owners[owner].isHeld = false
        endLife(of: owner)
        events.append(.released(owner: owner))
    }

    private mutating func endLife(of owner: Int) {
        guard owners[owner].isAlive, !owners[owner].isHeld, owners[owner].calls == 0 else { return }
        owners[owner].isAlive = false
        events.append(.dying(owner: owner))
        for operation in program.owners[owner] { perform(operation) }
        events.append(.died(owner: owner))
        for id in owners[owner].tokens { entries[id]?.isActive = false }
    }

    private mutating func post(_ number: Int, at place: ModelPlace) {
        let recipients = recipients(at: place)
        events.append(.posting(number))
        if turns[place.center] != nil {
            turns[place.center]?.append(Waiting(message: number, recipients: recipients))
        } else {
            turns[place.center] = []
            leeway[number] = deliver(number, to: recipients)
            while let next = turns[place.center]?.first {
                turns[place.center]?.removeFirst()
                _ = deliver(next.message, to: next.recipients)
            }
            turns[place.center] = nil
        }
        events.append(.posted(number, recipients: recipients.count))
    }

    /// Those who are registered, with a living owner, in the order in which they are called.
    private func recipients(at place: ModelPlace) -> [Int] {
        let present = order.compactMap { entries[$0] }.filter { entry in
            entry.isActive && entry.observation.place == place
                && (entry.observation.owner.map { owners[$0].isAlive } ?? true)
        }
        let priorities = Set(present.map(\.observation.priority)).sorted(by: >)
        return priorities.flatMap { priority in
            present.map(\.observation).filter { $0.priority == priority }.map(\.id)
        }
    }

    /// Returns how many lost their owner before their turn came.
    private mutating func deliver(_ message: Int, to recipients: [Int]) -> Int {
        var orphans = 0
        for id in recipients {
            guard let entry = entries[id] else { continue }
            let owner = entry.observation.owner
            if let owner, !owners[owner].isAlive {
                orphans += 1
            } else if entry.isActive {
                if let owner { owners[owner].calls += 1 }
                call(entry, message)
                if let owner {
                    owners[owner].calls -= 1
                    endLife(of: owner)
                }
            }
        }
        return orphans
    }

    private mutating func call(_ entry: Entry, _ message: Int) {
        let id = entry.observation.id
        if entry.observation.form == .sequence {
            entries[id]?.buffer.append(message)
            return
        }
        events.append(.calling(id, message: message))
        entries[id]?.calls += 1
        if entry.calls < entry.observation.scripts.count {
            for operation in entry.observation.scripts[entry.calls] { perform(operation) }
        }
        events.append(.called(id, message: message))
    }
}
