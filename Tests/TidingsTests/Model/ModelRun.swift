// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsTesting

@testable import Tidings

/// A program that is run against real message centers.
///
/// Threads share only what the program makes them share: each token, owner and bag has a lock of
/// its own, as a program would have, and everything else is constant.
final class ModelRun: Sendable {
    let program: ModelProgram
    let log: ModelLog
    let census: Census
    let centers: [MessageCenter]
    private let observations: [ObservationPlace]
    private let owners: [Slot<ModelOwner>]
    private let bags: [Slot<TokenBag>]
    private let spins = Atomic(0)

    init(_ program: ModelProgram, census: Census) {
        self.program = program
        self.census = census
        log = ModelLog(threads: program.threads.count + 1)
        centers = (0..<program.centers).map { _ in MessageCenter() }
        observations = (0..<program.observations).map { _ in ObservationPlace() }
        owners = program.owners.map { _ in Slot() }
        bags = (0..<program.bags).map { _ in Slot(TokenBag()) }
        for (index, owner) in owners.enumerated() {
            owner.put(ModelOwner(index, run: self))
        }
    }

    func perform(_ operations: [ModelOperation]) {
        for operation in operations { perform(operation) }
    }

    func perform(_ operation: ModelOperation) {
        switch operation {
        case .observe(let observation): observe(observation)
        case .cancel(let id): cancel(id)
        case .drop(let id): drop(id)
        case .post(let number, let place): post(number, at: place)
        case .count(let place): count(at: place)
        case .release(let owner): release(owner)
        case .empty(let bag, let byDropping): empty(bag, byDropping: byDropping)
        case .churn(let place, let count): churn(count, at: place)
        case .pause(let rounds):
            for _ in 0..<rounds { _ = spins.load(ordering: .relaxed) }
        }
    }

    /// Ends what the program left, as ``ReferenceModel/run()`` does.
    func finish() {
        for owner in owners.indices { release(owner) }
        guard !program.tokensOutliveCenters else { return }
        for id in observations.indices { cancel(id) }
        for bag in bags.indices { empty(bag, byDropping: false) }
    }

    /// Everything that was kept and is still there, taken out of the run.
    func takeLeftovers() -> Leftovers {
        var leftovers = Leftovers()
        for (id, observation) in observations.enumerated() {
            switch observation.kept.take() {
            case .token(let token): leftovers.tokens.append(token)
            case .sequence(let reader): leftovers.readers[id] = reader
            case nil: break
            }
        }
        leftovers.bags = bags.compactMap { $0.take() }
        return leftovers
    }
}

extension ModelRun {
    private func observe(_ observation: ModelObservation) {
        let owner = observation.owner.flatMap { owners[$0].value }
        if observation.owner != nil, owner == nil { return }
        log.record(.observing(observation.id))
        keep(
            register(observation, owner, ModelMessages.types[observation.place.type]),
            observation,
            owner
        )
        log.record(.observed(observation.id))
    }

    private func keep(_ kept: Kept, _ observation: ModelObservation, _ owner: ModelOwner?) {
        switch (observation.keeping, kept) {
        case (.bag(let bag), .token(let token)):
            bags[bag].access { $0.insert(token, observation.id) }
        case (.owner, .token(let token)): owner?.store(token)
        case (.nobody, .token): break
        case (.program, _), (_, .sequence): observations[observation.id].kept.put(kept)
        }
    }

    private func cancel(_ id: Int) {
        guard let kept = observations[id].kept.value else { return }
        log.record(.ending(id, .cancel))
        kept.cancel()
        log.record(.ended(id, .cancel))
    }

    private func drop(_ id: Int) {
        guard let kept = observations[id].kept.take() else { return }
        log.record(.ending(id, .drop))
        release(consume kept)
        log.record(.ended(id, .drop))
    }

    private func empty(_ bag: Int, byDropping: Bool) {
        guard let taken = bags[bag].exchange(TokenBag()) else { return }
        let ids = taken.ids
        let kind: ModelEnd = byDropping ? .bagDrop : .bag
        for id in ids { log.record(.ending(id, kind)) }
        if !byDropping { taken.bag.cancelAll() }
        release(consume taken)
        for id in ids.reversed() { log.record(.ended(id, kind)) }
    }

    private func release(_ owner: Int) {
        guard let taken = owners[owner].take() else { return }
        log.record(.releasing(owner: owner))
        release(consume taken)
        log.record(.released(owner: owner))
    }

    /// Drops the last reference of the caller here and not later.
    private func release<Value>(_: consuming Value) {}

    fileprivate func endLife(of owner: Int) {
        log.record(.dying(owner: owner))
        perform(program.owners[owner])
        log.record(.died(owner: owner))
    }

    fileprivate func fade(_ observation: ModelObservation) {
        log.record(.fading(observation.id))
        perform(observation.last)
        log.record(.faded(observation.id))
    }

    private func post(_ number: Int, at place: ModelPlace) {
        func post<M: ModelMessage>(_ type: M.Type) -> Int {
            centers[place.center].post(M(number: number))
        }
        log.record(.posting(number))
        let recipients = post(ModelMessages.types[place.type])
        log.record(.posted(number, recipients: recipients))
    }

    private func count(at place: ModelPlace) {
        func count<M: ModelMessage>(_ type: M.Type) -> Int {
            centers[place.center].count(of: type)
        }
        log.record(.counting(place))
        let result = count(ModelMessages.types[place.type])
        log.record(.counted(place, result))
    }

    private func churn(_ count: Int, at place: ModelPlace) {
        func token<M: ModelMessage>(_ type: M.Type, _ index: Int) -> ObservationToken {
            let mark = Mark(census)
            let priority = ObservationPriority(index % 3)
            return centers[place.center].observe(type, priority: priority) { _ in mark.stay() }
        }
        log.record(.churning(place, count))
        let type = ModelMessages.types[place.type]
        var tokens = (0..<count).map { token(type, $0) }
        // From the middle, so that what is left is never all old or all new.
        while !tokens.isEmpty { tokens.remove(at: tokens.count / 2).cancel() }
        log.record(.churned(place, count))
    }

    /// What a handler does.
    private func receive(_ message: Int, _ observation: ModelObservation) {
        let id = observation.id
        log.record(.calling(id, message: message))
        let call = observations[id].calls.wrappingAdd(1, ordering: .relaxed).oldValue
        if call < observation.scripts.count { perform(observation.scripts[call]) }
        log.record(.called(id, message: message))
    }

    private func register<M: ModelMessage>(
        _ observation: ModelObservation,
        _ owner: ModelOwner?,
        _ type: M.Type
    ) -> Kept {
        let center = centers[observation.place.center]
        let priority = ObservationPriority(observation.priority)
        let mark = mark(of: observation)
        switch (observation.form, owner) {
        case (.sequence, _):
            return .sequence(Reader(center.messages(of: type, priority: priority)))
        case (.main, _):
            return .token(
                center.observe(type, on: .main, priority: priority) { [unowned self] message in
                    mark.stay()
                    receive(message.number, observation)
                }
            )
        case (.owned, let owner?):
            return .token(
                center.observe(type, owner: owner, priority: priority) {
                    [unowned self] owner, message in
                    mark.stay()
                    receive(message.number, observation)
                    owner.stay()
                }
            )
        case (.ownedMain, let owner?):
            return .token(
                center.observe(type, owner: owner, on: .main, priority: priority) {
                    [unowned self] owner, message in
                    mark.stay()
                    receive(message.number, observation)
                    owner.stay()
                }
            )
        case (.closure, _), (.owned, nil), (.ownedMain, nil):
            return .token(
                center.observe(type, priority: priority) { [unowned self] message in
                    mark.stay()
                    receive(message.number, observation)
                }
            )
        }
    }

    private func mark(of observation: ModelObservation) -> Mark {
        guard !observation.last.isEmpty else { return Mark(census) }
        return Mark(census) { [weak self] in self?.fade(observation) }
    }
}

/// An object that owns observations and does something in its deinit.
final class ModelOwner: Sendable {
    private let index: Int
    private weak let run: ModelRun?
    private let tokens = Lock<[ObservationToken]>([])
    private let mark: Mark

    init(_ index: Int, run: ModelRun) {
        self.index = index
        self.run = run
        mark = Mark(run.census)
    }

    deinit { run?.endLife(of: index) }

    func store(_ token: ObservationToken) {
        tokens.withLock { $0.append(token) }
    }

    /// Uses the object, so that nobody can have released it.
    func stay() { mark.stay() }
}
