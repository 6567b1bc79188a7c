// SPDX-License-Identifier: Apache-2.0
import Tidings

protocol Shelf: AnyObject, Sendable {
    func put(_ item: String)
}

final class PrintingShelf: Shelf {
    func put(_ item: String) { print("on the shelf: \(item)") }
}

@main
enum CoreAlone {
    static func main() throws {
        let center = MessageCenter()
        let bag = ObservationBag()
        center.observe(ItemAdded.self) { print("added: \($0.name)") }.store(in: bag)
        center.post(ItemAdded(name: "book"))

        let shelf = PrintingShelf()
        let shelves = Delegates<any Shelf>()
        try shelves.add(shelf)
        shelves.notify { $0.put("book") }

        let items = StatePublisher<[String]>()
        items.observe { print("items: \($0.value ?? [])") }.store(in: bag)
        items.updateData(["book"])
        withExtendedLifetime(shelf) {}
    }
}
