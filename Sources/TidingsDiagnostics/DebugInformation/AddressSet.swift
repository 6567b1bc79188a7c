// SPDX-License-Identifier: Apache-2.0

/// The addresses whose functions are sought, in ascending order.
struct AddressSet {
    private let addresses: [UInt64]

    init(_ addresses: some Sequence<UInt64>) {
        self.addresses = Set(addresses).sorted()
    }

    var count: Int { addresses.count }

    subscript(index: Int) -> UInt64 { addresses[index] }

    /// Returns the indices of the addresses in a range.
    func indices(in range: Range<UInt64>) -> Range<Int> {
        guard let first = addresses.first, let last = addresses.last, range.lowerBound <= last,
            range.upperBound > first
        else { return 0..<0 }
        let start = index(of: range.lowerBound)
        var end = start
        while end < addresses.count, addresses[end] < range.upperBound { end += 1 }
        return start..<end
    }

    /// Returns the index of the first address that is not below `address`.
    private func index(of address: UInt64) -> Int {
        var (low, high) = (0, addresses.count)
        while low < high {
            let middle = (low + high) / 2
            if addresses[middle] < address { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
