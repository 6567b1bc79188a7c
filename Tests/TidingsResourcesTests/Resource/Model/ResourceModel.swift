// SPDX-License-Identifier: Apache-2.0
@testable import TidingsResources

/// The demands of the promises on a resource, as one step after another on one thread.
///
/// The model has no tasks, no locks and no details of a real resource.
struct ResourceModel {
    struct Load {
        var isOwn = false
        var waiters: [Int] = []
        /// The call of the source that runs for the load, or nil while a retry waits.
        var call: Int?
        var attempt = 1
        var isWritten = false
        var isOutdated = false
        /// The state to which the load returns, without the data.
        var rest: String
    }

    struct Write {
        var id: Int
        var number: Int
        var isConfirmed = false
        /// Whether data was loaded since, which may include the write.
        var isDoubtful = false
    }

    static let staleAfter = 60
    static let attempts = 3
    static let lastFailure = 9

    private(set) var phase = "unknown"
    private(set) var data: Int?
    private(set) var load: Load?
    private(set) var calls = 0
    private(set) var outcomes: [Int: String] = [:]
    /// The states that each observer received.
    private(set) var told: [[String]] = []
    private var present: Set<Int> = []
    private var isInvalidated = false
    private var age = 0
    /// The data that the source is known to have, while writes wait.
    private var base = 0
    private var writes: [Write] = []
    private var resets = 0
    /// The number of resets before each write started.
    private var resetsBefore: [Int: Int] = [:]

    var isStale: Bool {
        switch phase {
        case "loaded": isInvalidated || age >= Self.staleAfter
        case "loading": false
        default: true
        }
    }

    var state: String {
        switch phase {
        case "loading": "loading \(data.map(String.init) ?? "-")"
        case "loaded": "loaded \(data.map(String.init) ?? "-")"
        default: phase
        }
    }

    var hasWaiters: Bool { load?.waiters.isEmpty == false }
    var isRetryWaiting: Bool { load != nil && load?.call == nil }

    private mutating func tell(_ phase: String, _ data: Int?) {
        (self.phase, self.data) = (phase, data)
        for observer in present { told[observer].append(state) }
    }
}

// MARK: Loads

extension ResourceModel {
    mutating func beginLoad() {
        begin()
        load?.isOwn = true
    }

    mutating func refreshIfNeeded() {
        if isStale { beginLoad() }
    }

    mutating func refresh(_ waiter: Int) {
        begin()
        load?.waiters.append(waiter)
    }

    mutating func leave(_ waiter: Int) {
        guard let index = load?.waiters.firstIndex(of: waiter) else { return }
        load?.waiters.remove(at: index)
        outcomes[waiter] = "cancelled"
        endIfUnwanted()
    }

    mutating func invalidate() {
        isInvalidated = true
        load?.isOutdated = true
    }

    mutating func reset() {
        settle("finished")
        writes = []
        resets += 1
        (isInvalidated, age) = (false, 0)
        tell("unknown", nil)
    }

    /// Answers a call of the source.
    ///
    /// A nil value is a failure.
    mutating func answer(_ call: Int, _ value: Int?, failure: Int) {
        guard var load, load.call == call else { return }
        if load.isOutdated {
            repeatLoad(&load, attempt: 1)
            return
        }
        if value == nil, load.attempt < Self.attempts, failure != Self.lastFailure {
            (load.call, load.rest) = (nil, "error")
            load.attempt += 1
            self.load = load
            return
        }
        if load.isWritten {
            if phase == "loading" { rest("loaded") }
            settle(value == nil ? "LoadFailure(number: \(failure))" : outcomeOfWriting)
        } else if let value {
            writes.removeAll(where: \.isConfirmed)
            for index in writes.indices { writes[index].isDoubtful = true }
            base = value
            (isInvalidated, age) = (false, 0)
            tell("loaded", shown)
            settle("\(shown)")
        } else {
            tell("error", data)
            settle("LoadFailure(number: \(failure))")
        }
    }

    /// Starts a retry whose time has come.
    mutating func retry() {
        guard var load, load.call == nil else { return }
        repeatLoad(&load, attempt: load.attempt)
    }

    private mutating func begin() {
        guard load == nil else { return }
        calls += 1
        load = Load(call: calls, rest: phase)
        tell("loading", data)
    }

    private mutating func repeatLoad(_ load: inout Load, attempt: Int) {
        calls += 1
        (load.call, load.attempt) = (calls, attempt)
        (load.isOutdated, load.isWritten) = (false, false)
        self.load = load
    }

    private var outcomeOfWriting: String {
        if phase == "error" { return "written error" }
        return data.map(String.init) ?? "finished"
    }

    private mutating func settle(_ outcome: String) {
        for waiter in load?.waiters ?? [] { outcomes[waiter] = outcome }
        load = nil
    }

    private mutating func endIfUnwanted() {
        guard let ending = load, !ending.isOwn, ending.waiters.isEmpty else { return }
        load = nil
        if phase == "loading" { rest(ending.rest) }
    }

    private mutating func rest(_ rest: String) {
        if rest == "error" {
            tell("error", data)
        } else {
            tell(data == nil ? "unknown" : "loaded", data)
        }
    }
}

// MARK: Writes, time and observers

extension ResourceModel {
    mutating func updateData(_ value: Int) {
        writes = []
        load?.isWritten = true
        (isInvalidated, age) = (false, 0)
        tell("loaded", value)
    }

    mutating func update() {
        guard let data else { return }
        writes = []
        edit(data + 1)
    }

    mutating func show(_ id: Int, _ number: Int) {
        resetsBefore[id] = resets
        guard let data else { return }
        if writes.isEmpty { base = data }
        writes.append(Write(id: id, number: number))
        edit(shown)
    }

    mutating func confirm(_ id: Int) {
        guard let index = writes.firstIndex(where: { $0.id == id }) else { return doubt(id) }
        if writes[index].isDoubtful { doubt(id) }
        writes[index].isConfirmed = true
        fold()
        load?.isOutdated = true
    }

    mutating func takeBack(_ id: Int) {
        if writes.contains(where: { $0.id == id }) {
            writes.removeAll { $0.id == id }
            fold()
            edit(shown)
        }
        doubt(id)
    }

    /// Notes that the source's data is unknown.
    ///
    /// After a reset, the unknown data does not matter.
    private mutating func doubt(_ id: Int) {
        if resetsBefore[id] == resets { invalidate() }
    }

    mutating func advance(_ seconds: Int) {
        age += seconds
    }

    mutating func observe() -> Int {
        told.append([state])
        present.insert(told.count - 1)
        return told.count - 1
    }

    mutating func unobserve(_ observer: Int) {
        present.remove(observer)
        guard present.isEmpty else { return }
        load?.isOwn = false
        endIfUnwanted()
    }

    private var shown: Int {
        writes.reduce(base) { $0 * 2 + $1.number }
    }

    private mutating func fold() {
        while let first = writes.first, first.isConfirmed {
            base = base * 2 + first.number
            writes.removeFirst()
        }
    }

    private mutating func edit(_ value: Int) {
        load?.isWritten = true
        tell(phase == "unknown" ? "loaded" : phase, value)
    }
}
