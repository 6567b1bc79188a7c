// SPDX-License-Identifier: Apache-2.0

extension StateMemory {
    /// The present, as a load compares it with its beginning.
    var stamp: LoadMachine.Stamp {
        LoadMachine.Stamp(writes: writes, invalidations: invalidations)
    }

    /// What the state returns to if a load that begins now brings nothing.
    var rest: LoadMachine.Rest {
        switch state {
        case .unknown, .loading: .unknown
        case .loaded: .loaded
        case .error(let error): .error(error)
        }
    }

    /// Ends a load that brought nothing: the data stays, and so does its age.
    mutating func end(at rest: LoadMachine.Rest) -> Replaced? {
        guard case .loading = state else { return nil }
        if case .error(let error) = rest { return apply(.error(error), keeping: lastData) }
        return apply(lastData.map { .loaded($0) } ?? .unknown)
    }

    /// Shows a stored copy while the load runs that may bring something newer.
    mutating func offerStored(_ data: Value) -> Replaced? {
        guard case .loading = state, lastData == nil else { return nil }
        // However young it is: whoever stored it may have been another run of the program.
        isInvalidated = true
        return apply(.loading(data))
    }
}
