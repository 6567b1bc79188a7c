// SPDX-License-Identifier: Apache-2.0

/// Decides at connect time which machines may be connected to.
struct ConnectionGuard: Sendable {
    let policy: HTTPAddressPolicy
    private let refusedPorts: Set<Int>
    private let ownAddresses: @Sendable () -> Set<NetworkAddress>

    /// Creates a guard; `ownAddresses` is asked when a port of the program itself is meant.
    init(
        _ configuration: HTTPClient.Configuration,
        ownAddresses: @escaping @Sendable () -> Set<NetworkAddress> = NetworkAddress.ownAddresses
    ) {
        policy = configuration.addressPolicy
        refusedPorts = Set(configuration.refusedOrigins.map(\.port))
        self.ownAddresses = ownAddresses
    }

    /// Why this machine must not be connected to; nil if it may.
    ///
    /// The program's own ports are refused at every address of this machine, whatever name led there.
    func refusal(of address: NetworkAddress, port: Int) -> HTTPError.Code? {
        if refusedPorts.contains(port), isOwn(address) { return .ownAddress }
        return policy == .any || address.isPublic ? nil : .privateAddress
    }

    private func isOwn(_ address: NetworkAddress) -> Bool {
        address.isLoopbackOrUnspecified || ownAddresses().contains(address.unmapped)
    }
}
