// SPDX-License-Identifier: Apache-2.0

/// Where the machine's connectivity is learned.
package protocol ConnectivitySource: Sendable {
    /// What is known now, then what is known after each change; the same may be told twice.
    ///
    /// A failure says that it cannot be told, for now or, if the stream ends with it, at all.
    /// Dropping the stream ends the work behind it.
    func reports() -> AsyncStream<Result<Connectivity, any Error>>
}
