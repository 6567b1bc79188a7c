// SPDX-License-Identifier: Apache-2.0

/// A first-in first-out queue.
///
/// The storage keeps no reference to a taken element. The element leaves a lock with the result,
/// and no part of the element is released under the lock.
struct Fifo<Element> {
    private var slots: ContiguousArray<Element?> = []
    private var head = 0

    var count: Int { slots.count - head }
    var isEmpty: Bool { count == 0 }
    var first: Element? { head < slots.count ? slots[head] : nil }

    var last: Element? { isEmpty ? nil : slots[slots.count - 1] }

    /// Replaces the last element and returns the old element.
    mutating func replaceLast(with element: Element) -> Element? {
        guard !isEmpty else { return nil }
        let last = slots[slots.count - 1]
        slots[slots.count - 1] = element
        return last
    }

    /// Returns the elements for which `isWanted` returns true, in the same order.
    func filter(_ isWanted: (Element) -> Bool) -> Fifo {
        var result = Fifo()
        for case let element? in slots[head...] where isWanted(element) { result.append(element) }
        return result
    }

    /// Takes out the first element for which `isWanted` returns true, usually the first of all.
    mutating func remove(where isWanted: (Element) -> Bool) -> Element? {
        if let first, isWanted(first) { return popFirst() }
        let index = slots.indices.dropFirst(head).first { slots[$0].map(isWanted) ?? false }
        return index.flatMap { slots.remove(at: $0) }
    }

    mutating func append(_ element: Element) {
        slots.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < slots.count else { return nil }
        let element = slots[head].take()
        head += 1
        if head == slots.count {
            slots.removeAll(keepingCapacity: head <= 64)
            head = 0
        } else if head >= 64, head * 2 >= slots.count {
            slots.removeFirst(head)
            head = 0
        }
        return element
    }
}

extension Fifo: Sendable where Element: Sendable {}
