// SPDX-License-Identifier: Apache-2.0

/// The loading state of data from an external source.
///
/// The four cases are complete, so switch over all cases, without `default`.
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
    /// No load was requested.
    case unknown
    /// A load is running, with the previous value, if one exists.
    case loading(Value?)
    /// The data is loaded.
    case loaded(Value)
    /// The load failed.
    case error(any Error)
}

extension LoadState: Sendable where Value: Sendable {}

extension LoadState {
    /// The case without a value or error.
    public var phase: LoadPhase {
        switch self {
        case .unknown: .unknown
        case .loading: .loading
        case .loaded: .loaded
        case .error: .error
        }
    }

    /// Whether a load is running.
    public var isLoading: Bool { phase == .loading }

    /// The value of this state: loaded, or kept while loading.
    public var value: Value? {
        switch self {
        case .loading(let previous): previous
        case .loaded(let value): value
        case .unknown, .error: nil
        }
    }

    /// The error, or nil for every other case.
    public var error: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Returns the same case with a transformed value.
    ///
    /// ```swift
    /// let names = products.state.map { $0.map(\.name) }
    /// ```
    ///
    /// - Parameter transform: Called once if this state carries a value.
    /// - Returns: The state. An error stays the same error.
    /// - Throws: The error that `transform` throws.
    public func map<Result, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Result
    ) throws(Failure) -> LoadState<Result> {
        switch self {
        case .unknown: .unknown
        case .loading(nil): .loading(nil)
        case .loading(let previous?): .loading(try transform(previous))
        case .loaded(let value): .loaded(try transform(value))
        case .error(let error): .error(error)
        }
    }
}

extension LoadState: Equatable where Value: Equatable {
    /// Returns whether two states have the same case and equal values, or errors of the same type
    /// and text.
    public static func == (left: LoadState, right: LoadState) -> Bool {
        switch (left, right) {
        case (.unknown, .unknown): true
        case (.loading(let left), .loading(let right)): left == right
        case (.loaded(let left), .loaded(let right)): left == right
        case (.error(let left), .error(let right)):
            type(of: left) == type(of: right) && "\(left)" == "\(right)"
        case (.unknown, _), (.loading, _), (.loaded, _), (.error, _): false
        }
    }
}

/// The case of a ``LoadState``, without a value or error.
///
/// ```swift
/// spinner.isHidden = publisher.state.phase != .loading
/// ```
public enum LoadPhase: Hashable, Sendable {
    /// No load was requested.
    case unknown
    /// A load is running.
    case loading
    /// The data is loaded.
    case loaded
    /// The load failed.
    case error
}
