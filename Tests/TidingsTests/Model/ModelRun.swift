// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock
import TidingsTesting

@testable import Tidings

/// A program that runs against real message centers.
///
/// Threads share only the objects that the program shares. Each token, owner and bag has a lock of
/// its own, as a program would have, and everything else is constant.
final class ModelRun: Sendable {
    let program: ModelProgram
    let log: ModelLog
    let census: Census
    let centers: [MessageCenter]
    private let observations: [ObservationPlace]
    private let owners: [Slot<ModelOwner>]
    private let bags: [Slot<TokenBag>]
    private let hooks = ObservationBag()
    private let spins = Atomic(0)

    init(_ program: ModelProgram, census: Census) {
        self.program = program
        self.census = census
        log = ModelLog(threads: program.threads.count + 1)
        centers = (0..<program.centers).map { _ in MessageCenter() }
        observations = (0..<program.observations).map { _ in ObservationPlace() }
        owners = program.owners.map { _ in Slot() }
        bags = (0..<program.bags).map { _ in Slot(TokenBag()) }
        for center in centers { setHooks(of: center) }
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
        case .join(let first, let second): join(first, second)
        case .block(let id): change(id, isBlocked: true)
        case .resume(let id): change(id, isBlocked: false)
        case .post(let post): send(post)
        case .count(let place): count(at: place)
        case .recall(let place): recall(place)
        case .forget(let place): forget(place)
        case .finish(let center): finish(center)
        case .silence(let center, let isBlocked): silence(center, isBlocked: isBlocked)
        case .release(let owner): release(owner)
        case .remove(let owner, let center): remove(owner, from: center)
        case .empty(let bag, let byDropping): empty(bag, byDropping: byDropping)
        case .churn(let place, let count): churn(count, at: place)
        case .pause(let rounds):
            for _ in 0..<rounds { _ = spins.load(ordering: .relaxed) }
        }
    }

    private func setHooks(of center: MessageCenter) {
        center.addErrorHook { [weak self] failure in
            guard let self, let error = failure.error as? ModelFailure else { return }
            log.record(.failing(error.id, message: error.message))
            log.record(.failed(error.id, message: error.message))
        }.store(in: hooks)
        guard program.hasUnhandledHook else { return }
        center.addUnhandledHook { [weak self] unhandled in
            guard let self, let message = unhandled.message as? any NumberedMessage else { return }
            log.record(.missing(message.number))
            log.record(.missed(message.number))
        }.store(in: hooks)
    }

    /// Ends all remaining objects of the program, as ``ReferenceModel/run()`` does.
    func finish() {
        for owner in owners.indices { release(owner) }
        guard !program.tokensOutliveCenters else { return }
        for id in observations.indices { cancel(id) }
        for bag in bags.indices { empty(bag, byDropping: false) }
    }

    /// Takes all kept objects that are still there out of the run.
    func takeLeftovers() -> Leftovers {
        var leftovers = Leftovers()
        for (id, observation) in observations.enumerated() {
            switch observation.kept.take() {
            case .token(let token, _): leftovers.tokens.append(token)
            case .sequence(let reader, _): leftovers.readers[id] = reader
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
        let subject = observation.subject.flatMap { owners[$0].value }
        if observation.owner != nil, owner == nil { return }
        if observation.subject != nil, subject == nil { return }
        log.record(.observing(observation.id))
        keep(register(observation, owner, subject), observation, owner)
        log.record(.observed(observation.id))
        release(consume owner)
        release(consume subject)
    }

    private func keep(_ kept: Kept, _ observation: ModelObservation, _ owner: ModelOwner?) {
        switch (observation.keeping, kept) {
        case (.bag(let bag), .token(let token, _)):
            bags[bag].access { $0.insert(token, observation.id) }
        case (.owner, .token(let token, _)): owner?.store(token)
        case (.nobody, .token): break
        case (.program, _), (_, .sequence): observations[observation.id].kept.put(kept)
        }
    }

    private func cancel(_ id: Int) {
        guard let kept = observations[id].kept.value else { return }
        for id in kept.ids { log.record(.ending(id, .cancel)) }
        kept.cancel()
        for id in kept.ids.reversed() { log.record(.ended(id, .cancel)) }
    }

    private func drop(_ id: Int) {
        guard let kept = observations[id].kept.take() else { return }
        let ids = kept.ids
        for id in ids { log.record(.ending(id, .drop)) }
        release(consume kept)
        for id in ids.reversed() { log.record(.ended(id, .drop)) }
    }

    private func join(_ first: Int, _ second: Int) {
        log.record(.joining(first, second))
        defer { log.record(.joined(first, second)) }
        let places = (observations[first].kept, observations[second].kept)
        guard first != second, let kept = places.0.take() else { return }
        guard let other = places.1.take() else { return places.0.put(kept) }
        guard case .token(let token, let ids) = kept, case .token(let more, let others) = other
        else {
            places.0.put(kept)
            places.1.put(other)
            return
        }
        places.0.put(.token(ObservationToken(combining: [token, more]), ids + others))
    }

    private func change(_ id: Int, isBlocked: Bool) {
        guard case .token(let token, let ids) = observations[id].kept.value else { return }
        for id in ids { log.record(.switching(id, isBlocked: isBlocked)) }
        if isBlocked { token.block() } else { token.resume() }
        for id in ids.reversed() { log.record(.switched(id, isBlocked: isBlocked)) }
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

    private func remove(_ owner: Int, from center: Int) {
        guard let object = owners[owner].value else { return }
        log.record(.removing(owner: owner, center: center))
        let count = try? centers[center].removeObservations(of: object)
        log.record(.removed(owner: owner, center: center, count: count ?? 0))
        release(consume object)
    }

    private func release(_ owner: Int) {
        guard let taken = owners[owner].take() else { return }
        log.record(.releasing(owner: owner))
        release(consume taken)
        log.record(.released(owner: owner))
    }

    /// Drops the last reference of the caller immediately.
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

    private func send(_ post: ModelPost) {
        let about = post.about.flatMap { owners[$0].value }
        if post.about != nil, about == nil { return }
        log.record(.posting(post.number))
        let recipients = deliver(post, about)
        log.record(.posted(post.number, recipients: recipients))
        release(consume about)
    }

    private func count(at place: ModelPlace) {
        log.record(.counting(place))
        let center = centers[place.center]
        let result =
            if let type = place.messageType {
                center.count(of: type)
            } else {
                center.count(named: ModelMessages.name)
            }
        log.record(.counted(place, result))
    }

    private func recall(_ place: ModelPlace) {
        func numbers<M: ModelMessage>(_ type: M.Type) -> [Int] {
            centers[place.center].retained(type).map(\.number)
        }
        guard let type = place.messageType else { return }
        log.record(.recalling(place))
        let result = numbers(type)
        log.record(.recalled(place, result))
    }

    private func forget(_ place: ModelPlace) {
        guard let type = place.messageType else { return }
        log.record(.forgetting(place))
        centers[place.center].clearRetained(type)
        log.record(.forgotten(place))
    }

    private func finish(_ center: Int) {
        log.record(.finishing(center: center))
        centers[center].finish()
        log.record(.finished(center: center))
    }

    private func silence(_ center: Int, isBlocked: Bool) {
        log.record(.silencing(center: center, isBlocked: isBlocked))
        if isBlocked { centers[center].block() } else { centers[center].resume() }
        log.record(.silenced(center: center, isBlocked: isBlocked))
    }

    private func churn(_ count: Int, at place: ModelPlace) {
        func token<M: ModelMessage>(_ type: M.Type, _ index: Int) -> ObservationToken {
            let mark = Mark(census)
            let priority = ObservationPriority(index % 3)
            return centers[place.center].messages(of: type).priority(priority).observe { _ in
                mark.stay()
            }
        }
        guard let type = place.messageType else { return }
        log.record(.churning(place, count))
        var tokens = (0..<count).map { token(type, $0) }
        // Tokens are cancelled from the middle, so that the rest is never all old or all new.
        while !tokens.isEmpty { tokens.remove(at: tokens.count / 2).cancel() }
        log.record(.churned(place, count))
    }

    /// Performs the work of a handler.
    func receive(_ message: Int, _ observation: ModelObservation) throws {
        let id = observation.id
        log.record(.calling(id, message: message))
        let call = observations[id].calls.wrappingAdd(1, ordering: .relaxed).oldValue
        if call < observation.scripts.count { perform(observation.scripts[call]) }
        log.record(.called(id, message: message))
        if observation.fails(message) { throw ModelFailure(id: id, message: message) }
    }

    func mark(of observation: ModelObservation) -> Mark {
        guard !observation.last.isEmpty else { return Mark(census) }
        return Mark(census) { [weak self] in self?.fade(observation) }
    }
}

/// The error that a handler of a program throws.
struct ModelFailure: Error {
    let id: Int
    let message: Int
}

/// An object that owns observations and runs operations in its deinit.
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

    /// Uses the object, so that the object cannot have been released.
    func stay() { mark.stay() }
}
