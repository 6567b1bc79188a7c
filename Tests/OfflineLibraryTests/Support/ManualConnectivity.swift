// SPDX-License-Identifier: Apache-2.0

@testable import OfflineLibrary

/// A network that comes and goes when a test says so.
struct ManualConnectivity: ConnectivitySource {
    private let stream: AsyncStream<Result<Connectivity, any Error>>
    private let feed: AsyncStream<Result<Connectivity, any Error>>.Continuation

    /// A network in this state; nil tells nothing.
    init(_ first: Connectivity? = .online) {
        (stream, feed) = AsyncStream.makeStream()
        if let first { become(first) }
    }

    func become(_ connectivity: Connectivity) { feed.yield(.success(connectivity)) }

    func fail(_ error: any Error) { feed.yield(.failure(error)) }

    func reports() -> AsyncStream<Result<Connectivity, any Error>> { stream }
}
