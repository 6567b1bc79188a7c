// SPDX-License-Identifier: Apache-2.0
// Messages of any type that conforms to a protocol, and a center that is blocked for a while.
import Tidings

protocol Audited: Message {
    var auditText: String { get }
}

struct Paid: Audited {
    let amount: Int
    var auditText: String { "paid \(amount)" }
}

struct Document {
    func restore(on center: MessageCenter) { center.post(Paid(amount: 1)) }
}

let center = MessageCenter()
let document = Document()

let audit = center.messages(conformingTo: (any Audited).self) { $0 as? any Audited }
    .observe { message in print(message.auditText) }
center.post(Paid(amount: 3))

center.block()
document.restore(on: center)
center.resume()
audit.cancel()
