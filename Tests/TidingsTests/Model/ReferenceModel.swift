// SPDX-License-Identifier: Apache-2.0
import TidingsCoreFixtures

/// The predictions of the promises for a program of one thread: every call, order and number.
///
/// The model is as simple as possible: arrays, sorted when needed, and recursion.
struct ReferenceModel: Sendable {
    struct Entry {
        let observation: ModelObservation
        var calls = 0
        var isActive = true
        var isBlocked = false
        /// The messages that wait behind a replay, during the replay.
        var held: [ModelPost]?
        /// The messages that were sent to a sequence.
        var sent: [Int] = []
    }

    struct Owner {
        /// Whether the program still refers to the owner.
        var isHeld = true
        /// The number of calls that keep the owner alive.
        var users = 0
        var isAlive = true
        /// The tokens that the owner stores.
        var tokens: [Int] = []
    }

    struct Waiting {
        let post: ModelPost
        let recipients: [Int]
    }

    let program: ModelProgram
    /// The observations by number, whose order of registration is in `order`.
    var entries: [Int: Entry] = [:]
    var order: [Int] = []
    var owners: [Owner]
    /// The observations of each token that the program keeps.
    var kept: [Int: [Int]] = [:]
    var bags: [[Int]]
    /// The work that waits for the end of the turn of each center with a turn.
    var turns: [Int: [Waiting]] = [:]
    /// The centers whose work has ended.
    var finished: Set<Int> = []
    /// The centers that are blocked.
    var silent: Set<Int> = []
    /// Every message that is retained, in the order of posting.
    var retained: [ModelPlace: [ModelPost]] = [:]
    /// The messages in the order in which their recipients were found.
    var addressed: [Int] = []

    var events: [ModelEvent] = []
    /// The amount by which the number of an event may be smaller.
    ///
    /// The contract does not say whether an observation counts after the death of the subject.
    var leeway: [Int: Int] = [:]

    init(_ program: ModelProgram) {
        self.program = program
        owners = Array(repeating: Owner(), count: program.owners.count)
        bags = Array(repeating: [], count: program.bags)
    }

    /// The contents of the sequences that were not dropped.
    var buffers: [Int: ModelBuffer] {
        entries.filter { kept[$0.key] != nil && $0.value.observation.form == .sequence }
            .mapValues { ModelBuffer(of: $0.sent, $0.observation.buffer) }
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
        case .join(let first, let second): join(first, second)
        case .block(let id): change(id, isBlocked: true)
        case .resume(let id): change(id, isBlocked: false)
        case .post(let post): send(post)
        case .count(let place):
            let present = present { $0.isCounted(at: place) && !$0.isInterceptor }
            events += [.counting(place), .counted(place, present.count)]
        case .recall(let place):
            events += [.recalling(place), .recalled(place, retained(at: place).map(\.number))]
        case .forget(let place):
            events += [.forgetting(place), .forgotten(place)]
            retained[place] = nil
        case .finish(let center): finish(center)
        case .silence(let center, let isBlocked): silence(center, isBlocked: isBlocked)
        case .release(let owner): release(owner)
        case .remove(let owner, let center): remove(owner, from: center)
        case .empty(let bag, let byDropping): empty(bag, byDropping ? .bagDrop : .bag)
        case .churn(let place, let count):
            events += [.churning(place, count), .churned(place, count)]
            // The first new observation takes the waiting messages.
            retained[place]?.removeAll { $0.retention == .untilHandled }
        case .pause: break
        }
    }

    /// Returns registered observations with a living owner and subject, in the order of calls.
    func present(_ isMeant: (ModelObservation) -> Bool) -> [Int] {
        let present = order.compactMap { entries[$0] }.filter { entry in
            entry.isActive && !finished.contains(entry.observation.place.center)
                && isMeant(entry.observation)
                && entry.observation.expiring.allSatisfy { owners[$0].isAlive }
        }
        let priorities = Set(present.map(\.observation.priority)).sorted(by: >)
        return priorities.flatMap { priority in
            present.map(\.observation).filter { $0.priority == priority }.map(\.id)
        }
    }
}

// MARK: Observations and owners

extension ReferenceModel {
    private mutating func observe(_ observation: ModelObservation) {
        guard observation.expiring.allSatisfy({ owners[$0].isHeld }) else { return }
        let id = observation.id
        for object in observation.expiring { owners[object].users += 1 }
        events.append(.observing(id))
        entries[id] = Entry(observation: observation)
        order.append(id)
        if finished.contains(observation.place.center) {
            entries[id]?.isActive = false
        } else if observation.place.isTyped, !observation.isInterceptor {
            replay(to: id)
        }
        switch observation.keeping {
        case .program: kept[id] = [id]
        case .bag(let bag): bags[bag].append(id)
        case .owner: observation.owner.map { owners[$0].tokens.append(id) }
        case .nobody: break
        }
        events.append(.observed(id))
        for object in observation.expiring { letGo(object) }
    }

    private mutating func cancel(_ token: Int) {
        let ids = kept[token] ?? []
        events += ids.map { .ending($0, .cancel) }
        for id in ids { entries[id]?.isActive = false }
        events += ids.reversed().map { .ended($0, .cancel) }
    }

    private mutating func drop(_ token: Int) {
        let ids = kept.removeValue(forKey: token) ?? []
        events += ids.map { .ending($0, .drop) }
        for id in ids { endWithToken(id) }
        events += ids.reversed().map { .ended($0, .drop) }
    }

    /// Dropping the token of a living owner changes nothing.
    private mutating func endWithToken(_ id: Int) {
        if entries[id]?.observation.owner == nil { entries[id]?.isActive = false }
    }

    private mutating func join(_ first: Int, _ second: Int) {
        events += [.joining(first, second), .joined(first, second)]
        guard first != second, let ids = kept[first], let others = kept[second],
            (ids + others).allSatisfy({ entries[$0]?.observation.form != .sequence })
        else { return }
        kept[first] = ids + others
        kept[second] = nil
    }

    private mutating func change(_ token: Int, isBlocked: Bool) {
        let ids = (kept[token] ?? []).filter { entries[$0]?.observation.form != .sequence }
        events += ids.map { .switching($0, isBlocked: isBlocked) }
        for id in ids { entries[id]?.isBlocked = isBlocked }
        events += ids.reversed().map { .switched($0, isBlocked: isBlocked) }
    }

    private mutating func empty(_ bag: Int, _ kind: ModelEnd) {
        let ids = bags[bag]
        bags[bag] = []
        events += ids.map { .ending($0, kind) }
        for id in ids { entries[id]?.isActive = false }
        events += ids.reversed().map { .ended($0, kind) }
    }

    private mutating func remove(_ owner: Int, from center: Int) {
        guard owners[owner].isHeld else { return }
        events.append(.removing(owner: owner, center: center))
        let ids = order.filter { id in
            guard let entry = entries[id], entry.isActive, !finished.contains(center) else {
                return false
            }
            return entry.observation.owner == owner && !entry.observation.isInterceptor
                && entry.observation.place.center == center
        }
        let expired = ids.count { id in
            entries[id]?.observation.subject.map { !owners[$0].isAlive } ?? false
        }
        for id in ids { entries[id]?.isActive = false }
        leeway[events.count] = expired
        events.append(.removed(owner: owner, center: center, count: ids.count))
    }

    /// Earlier posts are still delivered.
    private mutating func finish(_ center: Int) {
        events += [.finishing(center: center), .finished(center: center)]
        finished.insert(center)
        for place in retained.keys where place.center == center { retained[place] = nil }
    }

    /// Earlier posts are still delivered.
    private mutating func silence(_ center: Int, isBlocked: Bool) {
        events += [
            .silencing(center: center, isBlocked: isBlocked),
            .silenced(center: center, isBlocked: isBlocked),
        ]
        if isBlocked { silent.insert(center) } else { silent.remove(center) }
    }

    private mutating func release(_ owner: Int) {
        guard owners[owner].isHeld else { return }
        events.append(.releasing(owner: owner))
        owners[owner].isHeld = false
        owners[owner].users += 1
        letGo(owner)
        events.append(.released(owner: owner))
    }

    /// Ends one use of an owner, and also the owner's life if this use was the last.
    mutating func letGo(_ owner: Int) {
        owners[owner].users -= 1
        guard owners[owner].isAlive, !owners[owner].isHeld, owners[owner].users == 0 else { return }
        owners[owner].isAlive = false
        events.append(.dying(owner: owner))
        for operation in program.owners[owner] { perform(operation) }
        events.append(.died(owner: owner))
        for id in owners[owner].tokens { entries[id]?.isActive = false }
    }
}
