// SPDX-License-Identifier: Apache-2.0
// Shows each post of a center, and the observations that have not ended.
import Tidings
import TidingsTracing

struct PageShown: Message {
    static var tracing: MessageTracing { .described }
    let page: String
}

let center = MessageCenter()
let watch = center.watch(delivered: { delivery in
    print(delivery)
    for handler in delivery.handlers { print("  \(handler)") }
})
let token = center.observe(PageShown.self) { print($0.page) }
center.post(PageShown(page: "Settings"))

print(center.leakReport())
watch.cancel()
