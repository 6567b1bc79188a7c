// SPDX-License-Identifier: Apache-2.0
// Names for code that cannot use a type yet, and a type with such a name.
import Tidings

struct Connected: NamedMessage {
    static let name = "InternetConnect"
    let network: String

    var object: (any Sendable)? { network }

    init(network: String) { self.network = network }

    init?(object: (any Sendable)?) {
        guard let network = object as? String else { return nil }
        self.network = network
    }
}

final class Screen: Sendable {}

let center = MessageCenter()
let screen = Screen()
center.observe(named: "InternetConnect", owner: screen) { name, object in
    print(name, object ?? "without an object")
}
let token = center.observe(Connected.self) { print("connected to \($0.network)") }

center.post(Connected(network: "home"))
center.post(named: "InternetConnect", object: "office")
do {
    try center.post(UntypedMessage(name: "InternetNotConnect"), requiring: .recipient)
} catch {
    print(error)
}
