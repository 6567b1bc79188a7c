// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// Where a catalogue is, as the person said.
package struct CatalogueAddress: Hashable, Sendable {
    package var address: WebAddress
    /// Whether it, and what it lists, may be on a private network.
    package var allowsPrivateAddresses: Bool

    package init(_ address: WebAddress, allowsPrivateAddresses: Bool = false) {
        self.address = address
        self.allowsPrivateAddresses = allowsPrivateAddresses
    }
}

/// The address as the registry remembers it, or that there is none.
package struct CataloguePreference: RawRepresentable, Hashable, Sendable {
    private static let (open, closed) = ("private ", "public ")
    package let address: CatalogueAddress?

    package init(_ address: CatalogueAddress?) {
        self.address = address
    }

    package init?(rawValue: String) {
        guard !rawValue.isEmpty else {
            address = nil
            return
        }
        for prefix in [Self.open, Self.closed] where rawValue.hasPrefix(prefix) {
            guard let found = try? WebAddress(String(rawValue.dropFirst(prefix.count))) else {
                return nil
            }
            address = CatalogueAddress(found, allowsPrivateAddresses: prefix == Self.open)
            return
        }
        return nil
    }

    package var rawValue: String {
        guard let address else { return "" }
        return (address.allowsPrivateAddresses ? Self.open : Self.closed) + address.address.text
    }

    package static let key = PreferenceKey<CataloguePreference>(
        "catalogueAddress",
        default: CataloguePreference(nil)
    )
}
