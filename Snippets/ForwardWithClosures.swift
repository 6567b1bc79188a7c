// SPDX-License-Identifier: Apache-2.0
// Forwardings of types that do not depend on Foundation.
import Foundation
import Tidings
import TidingsFoundation

struct PreferencesChanged: Message {}

struct Saved: Message {
    let path: String
}

let center = MessageCenter()
let bag = ObservationBag()

center.forward(UserDefaults.didChangeNotification, from: .default) { _ in PreferencesChanged() }
    .store(in: bag)

center.forward(Saved.self, to: .default) { saved in
    Notification(name: Notification.Name("DocumentSaved"), userInfo: ["path": saved.path])
}.store(in: bag)

center.post(Saved(path: "notes.txt"))
