// SPDX-License-Identifier: Apache-2.0
package import OfflineDownloads

/// A connectivity source that a test controls.
package struct ManualConnectivity: ConnectivitySource {
    private let stream: AsyncStream<Result<Connectivity, any Error>>
    private let continuation: AsyncStream<Result<Connectivity, any Error>>.Continuation

    /// Creates a source with a first update, or without an update for nil.
    package init(_ first: Connectivity? = .online) {
        (stream, continuation) = AsyncStream.makeStream()
        if let first { become(first) }
    }

    /// Reports a state.
    package func become(_ connectivity: Connectivity) { continuation.yield(.success(connectivity)) }

    /// Reports a failure of the system.
    package func fail(_ error: any Error) { continuation.yield(.failure(error)) }

    /// The states and failures.
    package func updates() -> AsyncStream<Result<Connectivity, any Error>> { stream }
}
