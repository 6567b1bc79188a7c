// SPDX-License-Identifier: Apache-2.0

/// What is known of data that comes from somewhere else.
///
/// The four cases are complete: switch over all of them, without `default`.
///
/// ```swift
/// switch publisher.state {
/// case .unknown: showNothing()
/// case .loading(let previous): show(previous, spinning: true)
/// case .loaded(let products): show(products, spinning: false)
/// case .error(let error): show(error)
/// }
/// ```
public enum LoadState<Value> {
    /// Nobody has asked yet.
    case unknown
    /// A load is running; the data from before, if there was any.
    case loading(Value?)
    /// The data.
    case loaded(Value)
    /// The load failed.
    case error(any Error)
}

extension LoadState: Sendable where Value: Sendable {}

extension LoadState {
    /// The case without what it carries.
    public var phase: LoadPhase {
        switch self {
        case .unknown: .unknown
        case .loading: .loading
        case .loaded: .loaded
        case .error: .error
        }
    }

    /// The data that this state itself carries: loaded, or kept while loading.
    public var data: Value? {
        switch self {
        case .loading(let previous): previous
        case .loaded(let data): data
        case .unknown, .error: nil
        }
    }

    /// The failure, if this state is one.
    public var error: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }
}

/// The case of a ``LoadState``, without what it carries.
///
/// ```swift
/// spinner.isHidden = publisher.phase != .loading
/// ```
public enum LoadPhase: Hashable, Sendable {
    /// Nobody has asked yet.
    case unknown
    /// A load is running.
    case loading
    /// There is data.
    case loaded
    /// The load failed.
    case error
}
